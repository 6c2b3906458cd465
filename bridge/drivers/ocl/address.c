/* address.c - the address space of a context: where the device sees its memory, and
 * shared virtual memory, which is the host's own, at its addresses; these are chosen
 * here so that they are the same in each run. See ocl.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <sys/mman.h>

#include "bridge/drivers/ocl/ocl.h"
#include "igpu/va.h"

/* Whole pages, one of them free between two mappings. */
static uint64_t room(uint64_t bytes)
{
    return (bytes / OCL_PAGE + 2) * OCL_PAGE;
}

static struct ocl_va_hole **holes_of(cl_context context, uint64_t bytes)
{
    return &context->hole[room(bytes) / OCL_PAGE % OCL_HOLES];
}

static bool add_op(cl_context context, uint64_t va, void *host, uint64_t bytes,
                   void *release)
{
    struct ocl_map_op *op = malloc(sizeof(*op));

    if (op == NULL)
        return false;
    *op = (struct ocl_map_op){NULL, va, bytes, host, release};
    *context->op_end = op;
    context->op_end = &op->next;
    return true;
}

/* The same where the caller wants it. */
static bool ocl_map_at(cl_context context, uint64_t va, void *host, uint64_t bytes)
{
    return add_op(context, va, host, bytes, NULL);
}

/* The last hole of the same size, so that addresses repeat as a driver's would. */
uint64_t ocl_map(cl_context context, void *host, uint64_t bytes)
{
    struct ocl_va_hole **at = holes_of(context, bytes), *hole;
    uint64_t va = context->next_va;

    while (*at != NULL && (*at)->bytes != room(bytes))
        at = &(*at)->next;
    hole = *at;
    if (hole != NULL)
        va = hole->va;
    if (!add_op(context, va, host, bytes, NULL))
        return 0;
    if (hole != NULL) {
        *at = hole->next;
        free(hole);
    } else {
        context->next_va += room(bytes);
    }
    return va;
}

void ocl_unmap(cl_context context, uint64_t va, uint64_t bytes, void *release)
{
    struct ocl_va_hole *hole = bytes > 0 ? malloc(sizeof(*hole)) : NULL;

    /* Short of memory: the mapping and its memory stay until the context goes. */
    if (!add_op(context, va, NULL, 0, release) || hole == NULL) {
        free(hole);
        return;
    }
    *hole = (struct ocl_va_hole){*holes_of(context, bytes), va, room(bytes)};
    *holes_of(context, bytes) = hole;
    ocl_release_maps(context);
}

enum igpu_status ocl_apply_maps(cl_context context, struct igpu_err *err)
{
    struct ocl_map_op *op;

    while ((op = context->op) != NULL) {
        enum igpu_status status = IGPU_OK;

        if (op->bytes > 0)
            status = emu_mem_map_at(context->mem, op->va, op->host, op->bytes, 0, err);
        else
            (void)emu_mem_unmap(context->mem, op->va);
        if (status != IGPU_OK)
            return status; /* stays: each launch says so */
        context->op = op->next;
        if (context->op == NULL)
            context->op_end = &context->op;
        free(op->release);
        free(op);
    }
    return IGPU_OK;
}

void ocl_release_maps(cl_context context)
{
    struct igpu_err err;

    if (context->commands == 0)
        (void)ocl_apply_maps(context, &err);
}

/* ---- shared virtual memory ------------------------------------------------------- */

/* A part of the address space that Linux gives to nobody else unless asked, and that
 * lies between the emulator's buffers and its scratch space. */
static uintptr_t next_hint = IGPU_VA_SVM;

struct ocl_svm *ocl_svm_find(cl_context context, const void *pointer)
{
    uintptr_t at = (uintptr_t)pointer;

    for (struct ocl_svm *s = context->svm; s != NULL; s = s->next)
        if (at >= (uintptr_t)s->pointer && at - (uintptr_t)s->pointer < s->bytes)
            return s;
    return NULL;
}

static size_t whole(size_t bytes)
{
    return (bytes + OCL_PAGE - 1) / OCL_PAGE * OCL_PAGE;
}

/* At once, as clSVMFree() does: that no command uses it any more is the program's
 * affair (it may wait, or use clEnqueueSVMFree() and clMemBlockingFreeINTEL()). */
static void free_svm(struct ocl_svm *s)
{
    (void)munmap(s->pointer, whole(s->bytes));
    free(s);
}

static void free_svm_all(cl_context context)
{
    struct ocl_svm *s, *next;

    for (s = context->svm; s != NULL; s = next) {
        next = s->next;
        free_svm(s);
    }
    context->svm = NULL;
}

struct ocl_svm *ocl_svm_make(cl_context context, size_t bytes)
{
    struct ocl_svm *s = calloc(1, sizeof(*s));
    void *pointer;

    if (s == NULL)
        return NULL;
    pointer = mmap((void *)next_hint, whole(bytes), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pointer == MAP_FAILED ||
        !ocl_map_at(context, (uint64_t)(uintptr_t)pointer, pointer, bytes)) {
        if (pointer != MAP_FAILED)
            (void)munmap(pointer, whole(bytes));
        free(s);
        return NULL;
    }
    next_hint += whole(bytes) + OCL_PAGE;
    s->next = context->svm;
    s->pointer = pointer;
    s->bytes = bytes;
    context->svm = s;
    return s;
}

bool ocl_svm_drop(cl_context context, void *pointer)
{
    struct ocl_svm **at = &context->svm, *s;

    while (*at != NULL && (*at)->pointer != pointer)
        at = &(*at)->next;
    s = *at;
    if (s == NULL)
        return false;
    *at = s->next;
    ocl_unmap(context, (uint64_t)(uintptr_t)pointer, 0, NULL);
    free_svm(s);
    return true;
}

/* ---- the end --------------------------------------------------------------------- */

static void free_ops(cl_context context)
{
    struct ocl_map_op *op, *next;

    for (op = context->op; op != NULL; op = next) {
        next = op->next;
        free(op->release);
        free(op);
    }
}

void ocl_address_free(cl_context context)
{
    struct ocl_va_hole *hole, *next;

    free_svm_all(context);
    free_ops(context);
    for (unsigned i = 0; i < OCL_HOLES; i++)
        for (hole = context->hole[i]; hole != NULL; hole = next) {
            next = hole->next;
            free(hole);
        }
    emu_mem_free(context->mem);
}
