/* emu_mem.c - the GPU's address space as a sorted list of host buffers. */
#include "emu_int.h"

#include <inttypes.h>
#include <stdlib.h>

#include "igpu/grow.h"
#include "igpu/va.h"

struct emu_mem *emu_mem_new(void)
{
    struct emu_mem *mem = calloc(1, sizeof(*mem));

    if (mem != NULL)
        *mem =
            (struct emu_mem){.next_va = IGPU_VA_FIRST, .scratch_va = IGPU_VA_SCRATCH};
    return mem;
}

bool emu_mem_copy(struct emu_mem *to, const struct emu_mem *from)
{
    if (!IGPU_RESERVE(to->map, to->cap, from->count))
        return false;
    if (from->count != 0)
        memcpy(to->map, from->map, from->count * sizeof(*to->map));
    to->count = from->count;
    to->next_va = from->next_va;
    to->scratch_va = from->scratch_va;
    return true;
}

void emu_mem_free(struct emu_mem *mem)
{
    if (mem == NULL)
        return;
    free(mem->map);
    free(mem);
}

/* Index of the first mapping that ends after va. */
static uint32_t mem_find(const struct emu_mem *mem, uint64_t va)
{
    uint32_t low = 0, high = mem->count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (mem->map[mid].va + mem->map[mid].bytes <= va)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

enum igpu_status emu_mem_map_at(struct emu_mem *mem, uint64_t va, void *host,
                                uint64_t bytes, uint32_t flags, struct igpu_err *err)
{
    uint32_t at = mem_find(mem, va);

    if (bytes == 0 || host == NULL || va >= IGPU_VA_END || bytes > IGPU_VA_END - va)
        return igpu_fail(err, IGPU_USAGE,
                         "cannot map %" PRIu64 " bytes at 0x%" PRIX64
                         ": outside the 47-bit address space or empty",
                         bytes, va);
    if (at < mem->count && mem->map[at].va < va + bytes)
        return igpu_fail(err, IGPU_USAGE,
                         "cannot map %" PRIu64 " bytes at 0x%" PRIX64
                         ": overlaps the buffer at 0x%" PRIX64,
                         bytes, va, mem->map[at].va);
    if (!IGPU_RESERVE(mem->map, mem->cap, (size_t)mem->count + 1))
        return igpu_no_memory(err, "the list of buffers");
    memmove(&mem->map[at + 1], &mem->map[at], (mem->count - at) * sizeof(*mem->map));
    mem->map[at] = (struct emu_region_map){va, bytes, host, flags};
    mem->count++;
    return IGPU_OK;
}

enum igpu_status emu_mem_map(struct emu_mem *mem, void *host, uint64_t bytes,
                             uint32_t flags, uint64_t *va, struct igpu_err *err)
{
    uint64_t pages = bytes / IGPU_VA_PAGE + 2; /* one unmapped */
    enum igpu_status status;

    if (bytes >= IGPU_VA_SCRATCH ||
        mem->next_va + pages * IGPU_VA_PAGE > IGPU_VA_SCRATCH)
        return igpu_fail(err, IGPU_USAGE, "no room for a buffer of %" PRIu64 " bytes",
                         bytes);
    status = emu_mem_map_at(mem, mem->next_va, host, bytes, flags, err);
    if (status != IGPU_OK)
        return status;
    *va = mem->next_va;
    mem->next_va += pages * IGPU_VA_PAGE;
    return IGPU_OK;
}

bool emu_mem_unmap(struct emu_mem *mem, uint64_t va)
{
    uint32_t at = mem_find(mem, va);

    if (at >= mem->count || mem->map[at].va != va)
        return false;
    mem->count--;
    memmove(&mem->map[at], &mem->map[at + 1], (mem->count - at) * sizeof(*mem->map));
    return true;
}

bool emu_mem_mapping(const struct emu_mem *mem, uint32_t index, uint64_t *va,
                     const void **host, uint64_t *bytes, uint32_t *flags)
{
    if (index >= mem->count)
        return false;
    *va = mem->map[index].va;
    *host = mem->map[index].host;
    *bytes = mem->map[index].bytes;
    *flags = mem->map[index].flags;
    return true;
}

void emu_mem_scratch(struct emu_mem *mem, uint64_t va)
{
    mem->scratch_va = va;
}

void emu_mem_hook(struct emu_mem *mem, const struct emu_mem_hooks *hooks)
{
    mem->hooks = *hooks;
}

/* Is b where a ends, for the GPU and for the host? */
static bool goes_on(const struct emu_region_map *a, const struct emu_region_map *b)
{
    return a->va + a->bytes == b->va && a->host + a->bytes == b->host &&
           a->flags == b->flags;
}

/* The mapping that has va. */
static bool mapping_of(struct emu_mem *mem, uint64_t va, uint32_t *at)
{
    *at = mem_find(mem, va);
    if ((*at >= mem->count || mem->map[*at].va > va) && mem->hooks.miss != NULL &&
        mem->hooks.miss(mem->hooks.ctx, va))
        *at = mem_find(mem, va);
    return *at < mem->count && mem->map[*at].va <= va;
}

/* A mapping with its neighbours that go on: an access may cross from one to the other
 * (Intel's driver makes up to three buffers of a range of the host's memory). */
static struct emu_region_map range_of(const struct emu_mem *mem, uint32_t at)
{
    struct emu_region_map range;

    while (at > 0 && goes_on(&mem->map[at - 1], &mem->map[at]))
        at--;
    range = mem->map[at];
    while (++at < mem->count && goes_on(&range, &mem->map[at]))
        range.bytes += mem->map[at].bytes;
    return range;
}

void *emu_mem_host(struct emu_mem *mem, uint64_t va, uint64_t bytes)
{
    struct emu_region_map in;
    uint32_t at;

    if (!mapping_of(mem, va, &at))
        return NULL;
    in = mem->map[at];
    if (bytes > in.bytes - (va - in.va))
        in = range_of(mem, at);
    return bytes <= in.bytes - (va - in.va) ? in.host + (va - in.va) : NULL;
}

/* ---- the emulator's own view -------------------------------------------- */

static bool refill(struct emu_machine *m, uint64_t va)
{
    struct emu_region_map in;
    uint32_t at;

    if (!mapping_of(m->mem, va, &at))
        return false;
    in = range_of(m->mem, at);
    m->slot.va = in.va;
    m->slot.bytes = in.bytes;
    m->slot.host = in.host;
    m->slot.writable = !(in.flags & EMU_MAP_READ_ONLY);
    return true;
}

uint8_t *emu_mapping(struct emu_machine *m, uint64_t va, bool write, uint64_t *first,
                     uint64_t *bytes)
{
    if (va - m->slot.va >= m->slot.bytes && !refill(m, va))
        return NULL;
    *first = m->slot.va;
    *bytes = m->slot.bytes;
    return write && !m->slot.writable ? NULL : m->slot.host;
}

const uint8_t *emu_surface_host(struct emu_thread *t, const struct emu_bound *s,
                                bool write)
{
    uint64_t first, size;
    const uint8_t *host = emu_mapping(t->m, s->va, write, &first, &size);

    return host != NULL && s->va - first + s->bytes <= size ? host + (s->va - first)
                                                            : NULL;
}

/* How the user may let pass what is outside its buffer. */
static const char *hint(const struct emu_thread *t)
{
    const struct emu_launch *launch = t->m->launch;

    return launch->lenient || launch->lenient_hint == NULL ? "" : launch->lenient_hint;
}

uint8_t *emu_global(struct emu_thread *t, const struct emu_op *op, uint64_t va,
                    uint32_t bytes, bool write, uint32_t lane)
{
    struct emu_slot *slot = &t->m->slot;
    uint64_t at = va - slot->va;

    if (at >= slot->bytes) {
        if (!refill(t->m, va)) {
            emu_error(t, op, "lane %u %s %u bytes at 0x%" PRIX64 ", in no buffer%s",
                      lane, write ? "writes" : "reads", bytes, va, hint(t));
            return NULL;
        }
        at = va - slot->va;
    }
    if (bytes > slot->bytes - at) {
        emu_error(t, op,
                  "lane %u %s %u bytes at 0x%" PRIX64
                  ", over the end of the buffer of %" PRIu64 " bytes at 0x%" PRIX64
                  "%s",
                  lane, write ? "writes" : "reads", bytes, va, slot->bytes, slot->va,
                  hint(t));
        return NULL;
    }
    if (write && !slot->writable) {
        emu_error(t, op, "lane %u writes 0x%" PRIX64 " in a read-only buffer", lane,
                  va);
        return NULL;
    }
    return slot->host + at;
}

/* Where the address of a __local variable escapes, the compiler (IGC 1.0.12504) adds
 * 0x10000000, so that no valid pointer is null; the SLM has 16 address bits. */
uint64_t emu_slm_offset(uint64_t address)
{
    return address >> 28 == 1 ? address & 0xFFFFFFF : address;
}

uint8_t *emu_slm(struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                 uint32_t bytes, uint32_t lane)
{
    uint32_t size = t->m->slm_bytes;

    if (bytes > size || offset > size - bytes) {
        emu_error(t, op,
                  "lane %u accesses %u bytes at 0x%" PRIX64
                  " of the group's shared memory of %u bytes%s",
                  lane, bytes, offset, size,
                  op->inst->msg.block_bytes != 0 ? "" : hint(t));
        return NULL;
    }
    return t->m->group.slm + offset;
}

bool emu_outside(const struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                 uint32_t bytes)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *s = emu_surface(t, msg);
    uint64_t size = t->m->slm_bytes;

    if (s != NULL)
        size = s->bytes;
    else if (msg->addr_model != ISA_ADDR_SLM)
        return false;
    return t->m->launch->lenient && (bytes > size || offset > size - bytes);
}

bool emu_read_tail(struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                   uint32_t bytes, uint8_t *to, uint64_t *va)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *s = emu_surface(t, msg);
    uint64_t first, size, at;
    const uint8_t *host;

    if (msg->is_write)
        return false;
    if (s != NULL) {
        first = s->va;
        size = s->bytes;
        at = offset;
    } else if (msg->addr_model == ISA_ADDR_A64) {
        if (emu_mapping(t->m, offset, false, &first, &size) == NULL)
            return false;
        at = offset - first;
    } else {
        return false;
    }
    if (at >= size || bytes <= size - at ||
        (first + at + bytes - 1) / 64 != (first + size - 1) / 64)
        return false;
    host = emu_mem_host(t->m->mem, first + at, size - at);
    if (host == NULL)
        return false;
    memset(to, 0, bytes);
    memcpy(to, host, size - at);
    *va = first + at;
    return true;
}

bool emu_address(struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                 uint32_t bytes, uint32_t lane, uint64_t *va)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *s;

    if (msg->addr_model != ISA_ADDR_BTI) {
        *va = msg->addr_model == ISA_ADDR_A64 ? offset : t->m->mem->scratch_va + offset;
        return true;
    }
    s = &t->m->surface[msg->bti];
    if (!s->bound) {
        emu_error(t, op, "no buffer is bound to surface %u", msg->bti);
        return false;
    }
    if (bytes > s->bytes || offset > s->bytes - bytes) {
        emu_error(t, op,
                  "lane %u accesses %u bytes at offset 0x%" PRIX64
                  " of surface %u, which has %" PRIu64 " bytes%s",
                  lane, bytes, offset, msg->bti, s->bytes, hint(t));
        return false;
    }
    *va = s->va + offset;
    return true;
}
