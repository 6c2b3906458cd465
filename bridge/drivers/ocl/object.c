/* object.c - life of the driver's objects, and the one lock. See ocl.h. */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bridge/drivers/ocl/ocl.h"
#include "bridge/drivers/ocl/setting.h"
#include "igpu/clock.h"

/* Released objects of the last so many stay readable, so that a program that uses
 * one gets an error; the loader reads their dispatch table, too. */
enum { GRAVES = 4096, DEAD = 0x0C1ADEAD, CALL_SECONDS = 1 };

struct call {
    struct call *next;
    void (*fn)(void *a, void *b);
    void *a, *b;
};

struct call_list {
    struct call *first, **end;
};

struct _cl_icd_dispatch ocl_dispatch;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ocl_bell changed;
/* To be made by who unlocks, and by the device thread. */
static struct call_list calls = {NULL, &calls.first}, left = {NULL, &left.first};
static unsigned pending; /* calls that have not returned */
static _Thread_local bool in_call;
static void *grave[GRAVES];
static unsigned next_grave;

void ocl_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

static void calls_forget(struct call_list *list)
{
    *list = (struct call_list){NULL, &list->first};
}

static bool calls_move(struct call_list *from, struct call_list *to)
{
    if (from->first == NULL)
        return false;
    *to->end = from->first;
    to->end = from->end;
    calls_forget(from);
    return true;
}

bool ocl_leave_calls(void)
{
    return calls_move(&calls, &left);
}

bool ocl_take_calls(void)
{
    return calls_move(&left, &calls);
}

void ocl_unlock(void)
{
    struct call *call = calls.first, *next;

    calls_forget(&calls);
    (void)pthread_mutex_unlock(&lock);
    for (; call != NULL; call = next) {
        bool nested = in_call;

        next = call->next;
        in_call = true;
        call->fn(call->a, call->b);
        in_call = nested;
        free(call);
        ocl_lock();
        pending--;
        ocl_changed();
        (void)pthread_mutex_unlock(&lock);
    }
}

/* The lock is held across fork(), so that the child finds the objects whole; then that
 * of the settings, which are read with it held. */
static void before_fork(void)
{
    ocl_lock();
    setting_before_fork();
}

static void after_fork(void)
{
    setting_after_fork();
    (void)pthread_mutex_unlock(&lock);
}

/* The child has no other thread: nobody makes the calls, or waits. */
static void in_child(void)
{
    changed = (struct ocl_bell){.waiters = 0}; /* they are gone */
    calls_forget(&calls);
    calls_forget(&left);
    pending = 0;
    after_fork();
}

static void __attribute__((constructor)) watch_fork(void)
{
    (void)pthread_atfork(before_fork, after_fork, in_child);
}

/* ---- waiting -------------------------------------------------------------------- */

bool ocl_wait_on(struct ocl_bell *bell, const struct timespec *end)
{
    uint32_t rings = bell->rings;
    bool late;

    bell->waiters++;
    (void)pthread_mutex_unlock(&lock);
    late = syscall(SYS_futex, &bell->rings,
                   FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, rings, end, NULL,
                   FUTEX_BITSET_MATCH_ANY) != 0 &&
           errno == ETIMEDOUT;
    (void)pthread_mutex_lock(&lock);
    bell->waiters--;
    return !late;
}

void ocl_ring(struct ocl_bell *bell)
{
    bell->rings++;
    if (bell->waiters > 0)
        (void)syscall(SYS_futex, &bell->rings, FUTEX_WAKE_PRIVATE, INT_MAX);
}

void ocl_wait_change(void)
{
    (void)ocl_wait_on(&changed, NULL);
}

void ocl_changed(void)
{
    ocl_ring(&changed);
}

void ocl_await_calls(void)
{
    const struct timespec end = igpu_in(CALL_SECONDS, 0);

    while (pending > 0 && !in_call && ocl_wait_on(&changed, &end)) {
    }
}

/* ---- calls and objects ---------------------------------------------------------- */

void ocl_later(void (*fn)(void *a, void *b), void *a, void *b)
{
    struct call *call = malloc(sizeof(*call));

    if (call == NULL)
        return;
    *call = (struct call){NULL, fn, a, b};
    *calls.end = call;
    calls.end = &call->next;
    pending++;
}

void *ocl_new(enum ocl_type type, size_t bytes, void (*destroy)(void *))
{
    struct ocl_object *o = calloc(1, bytes);

    if (o == NULL)
        return NULL;
    o->dispatch = &ocl_dispatch;
    o->type = type;
    o->references = 1;
    o->destroy = destroy;
    return o;
}

/* Queues and kernels that the program released are gone for it, though commands may
 * still hold them. What other objects hold stays in use through these: a context and a
 * program can be asked for, an event is passed to callbacks. */
bool ocl_is(const void *object, enum ocl_type type)
{
    const struct ocl_object *o = object;

    return o != NULL && o->type == (uint32_t)type &&
           (o->references > 0 || (type != OCL_QUEUE && type != OCL_KERNEL));
}

static void bury_if_unused(struct ocl_object *o)
{
    void *oldest;

    if (o->references > 0 || o->holds > 0 || o->destroy == NULL)
        return;
    o->type = DEAD;
    o->destroy(o);
    oldest = grave[next_grave];
    grave[next_grave] = o;
    next_grave = (next_grave + 1) % GRAVES;
    free(oldest);
}

void ocl_hold(void *object)
{
    struct ocl_object *o = object;

    o->holds++;
}

void ocl_drop(void *object)
{
    struct ocl_object *o = object;

    if (o == NULL)
        return;
    o->holds--;
    bury_if_unused(o);
}

cl_int ocl_retain(void *object, enum ocl_type type, cl_int invalid)
{
    struct ocl_object *o = object;
    cl_int status = invalid;

    ocl_lock();
    if (ocl_is(o, type)) {
        o->references++;
        status = CL_SUCCESS;
    }
    ocl_unlock();
    return status;
}

cl_int ocl_release(void *object, enum ocl_type type, cl_int invalid)
{
    struct ocl_object *o = object;
    cl_int status = invalid;

    ocl_lock();
    if (ocl_is(o, type) && o->references > 0) {
        o->references--;
        bury_if_unused(o);
        status = CL_SUCCESS;
    }
    ocl_unlock();
    return status;
}
