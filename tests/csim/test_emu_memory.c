/* test_emu_memory.c - messages: each family and address model against plain loads and
 * stores on the host, with random masks and addresses; access records; errors.
 * Does not find: descriptors decoded wrongly (test_isa.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emu_rig.h"
#include "igpu/va.h"

enum { BYTES = 4096, BTI = 3, SLM = 254, STATELESS = 255, DC0 = 10, DC1 = 12 };
enum { ADDR_REG = 20, DATA_REG = 40, DST_REG = 80 };

static struct emu_rig rig;
static uint8_t memory[BYTES], slm[BYTES], model[BYTES];
static uint64_t memory_va;
static struct emu_access last;
static uint64_t last_addr[EMU_LANES];
static uint32_t accesses;

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    (void)ctx, (void)thread;
    last = *access;
    memcpy(last_addr, access->addr, sizeof(last_addr));
    accesses++;
}

static int open_rig(void **state)
{
    (void)state;
    emu_rig_open(&rig);
    if (emu_mem_map(rig.mem, memory, BYTES, 0, &memory_va, &rig.err) != IGPU_OK)
        return -1;
    rig.m->group.slm = slm;
    rig.m->slm_bytes = BYTES;
    rig.m->surface[BTI] =
        (struct emu_bound){.va = memory_va, .bytes = BYTES, .bound = true};
    rig.launch.hooks.access = on_access;
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    emu_rig_close(&rig);
    return 0;
}

/* ---- messages ----------------------------------------------------------- */

/* sends with addresses at ADDR_REG, data at DATA_REG, response at DST_REG. */
static struct isa_inst message(uint32_t sfid, uint32_t desc, uint32_t exec,
                               uint32_t data_grfs)
{
    struct isa_inst in = emu_rig_inst(data_grfs ? ISA_OP_SENDS : ISA_OP_SEND, exec);

    in.msg.desc = desc;
    in.msg.exdesc = sfid | data_grfs << 6;
    isa_message_decode(&in.msg);
    in.nsrc = data_grfs ? 2 : 1;
    in.src[0] = emu_rig_dst(ADDR_REG, ISA_TYPE_UD, 1);
    in.src[1] = emu_rig_dst(DATA_REG, ISA_TYPE_UD, 1);
    in.dst = emu_rig_dst(DST_REG, ISA_TYPE_UD, 1);
    if (in.msg.rlen == 0)
        in.dst.file = ISA_FILE_NULL;
    assert_int_not_equal(in.msg.family, ISA_MSG_UNSUPPORTED);
    return in;
}

static uint32_t lengths(uint32_t mlen, uint32_t rlen)
{
    return mlen << 25 | rlen << 20;
}

static void fill(uint64_t *seed)
{
    for (uint32_t i = 0; i < BYTES; i += 8) {
        uint64_t a = emu_rig_random(seed), b = emu_rig_random(seed),
                 c = emu_rig_random(seed);

        memcpy(memory + i, &a, 8);
        memcpy(slm + i, &b, 8);
        memcpy(rig.t->grf + i % EMU_GRF_SIZE, &c, 8);
    }
}

/* Offset of lane 0 and bytes from lane to lane, of a row: now and then one lane behind
 * the other, with gaps, or (reads) above one another. */
static uint32_t put_row(uint64_t *seed, const struct isa_message *msg, uint32_t bytes,
                        uint32_t align, uint32_t *first)
{
    uint32_t choice = (uint32_t)emu_rig_random(seed) % 4, pitch = bytes, room;

    if (choice == 0 || choice == 1)
        pitch += align * (1 + (uint32_t)(emu_rig_random(seed) % 8));
    if (choice == 1 && !msg->is_write)
        pitch = align * (uint32_t)(emu_rig_random(seed) % 4);
    room = BYTES - 15 * pitch - bytes;
    *first = (uint32_t)(emu_rig_random(seed) % (room + 1)) / align * align;
    return pitch;
}

/* Random offsets, aligned, into the address registers; out[] gets them. Each lane that
 * writes has its own part of memory: of lanes that write one place any may win. */
static void put_addresses(uint64_t *seed, const struct isa_message *msg, uint32_t bytes,
                          uint32_t align, uint32_t *out)
{
    uint32_t first, pitch = put_row(seed, msg, bytes, align, &first);
    bool is_row = emu_rig_random(seed) % 2 != 0;

    for (uint32_t i = 0; i < msg->simd; i++) {
        uint32_t part = BYTES / 16,
                 at = (uint32_t)(emu_rig_random(seed) % (part - bytes + 1));
        uint64_t va;

        at = is_row ? first + i * pitch : i * part + at / align * align;
        va = memory_va + at;
        out[i] = at;
        if (msg->addr_model == ISA_ADDR_A64)
            memcpy(rig.t->grf + ADDR_REG * 32 + 8 * i, &va, 8);
        else
            memcpy(rig.t->grf + ADDR_REG * 32 + 4 * i, &at, 4);
    }
}

static void check_access(const struct isa_message *msg, uint32_t mask,
                         const uint32_t *at)
{
    bool is_slm = msg->addr_model == ISA_ADDR_SLM;

    assert_int_equal(accesses, 1);
    assert_int_equal(last.mask, mask);
    assert_int_equal(last.space, is_slm ? EMU_SPACE_SLM : EMU_SPACE_GLOBAL);
    for (uint32_t i = 0; i < msg->simd; i++)
        if (mask >> i & 1)
            assert_int_equal(last_addr[i], is_slm ? at[i] : memory_va + at[i]);
}

/* Run `in` on random data; lane i moves `size` bytes between its address + step * j and
 * register slot j, for each j of `slots` with a bit in `which`. */
static void check_lanes(struct isa_inst in, uint32_t size, uint32_t step,
                        uint32_t which, uint64_t *seed)
{
    const struct isa_message *msg = &in.msg;
    uint8_t *mem = msg->addr_model == ISA_ADDR_SLM ? slm : memory;
    uint32_t slot = size == 8 ? 8 : 4, at[16], j = 0, span = 0;
    uint8_t grf[EMU_GRF_SIZE];
    uint32_t active =
        emu_rig_random(seed) % 4 ? (uint32_t)emu_rig_random(seed) : UINT32_MAX;
    uint32_t mask = active & ((1u << msg->simd) - 1) & ((1u << in.exec_size) - 1);

    for (uint32_t c = 0; c < 32; c++)
        if (which >> c & 1)
            span = c * step + size;
    fill(seed);
    put_addresses(seed, msg, span, size == 8 ? 4 : size, at);
    memcpy(model, mem, BYTES);
    memcpy(grf, rig.t->grf, sizeof(grf));
    for (uint32_t c = 0; c < 32; c++) {
        if (!(which >> c & 1))
            continue;
        for (uint32_t i = 0; i < msg->simd; i++) {
            uint32_t reg = (j * msg->simd + i) * slot;

            if (!(mask >> i & 1))
                continue;
            if (msg->is_write)
                memcpy(model + at[i] + c * step, grf + DATA_REG * 32 + reg, size);
            else if (size < 4)
                memset(grf + DST_REG * 32 + reg, 0, 4);
            if (!msg->is_write)
                memcpy(grf + DST_REG * 32 + reg, model + at[i] + c * step, size);
        }
        j++;
    }
    accesses = 0;
    if (!emu_rig_run(&rig, &in, active))
        fail_msg("%s", rig.err.text);
    check_access(msg, mask, at);
    assert_memory_equal(rig.t->grf, grf, sizeof(grf));
    assert_memory_equal(mem, model, BYTES);
}

static void untyped_messages(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (uint32_t n = 0; n < 720; n++) {
        uint32_t comps = n % 15 + 1, simd = n / 15 % 2 ? 16 : 8, where = n / 30 % 3;
        bool write = n / 90 % 2;
        uint32_t count =
            (comps & 1) + (comps >> 1 & 1) + (comps >> 2 & 1) + (comps >> 3);
        uint32_t type = where == 2 ? (write ? 0x19 : 0x11) : write ? 0x09 : 0x01;
        uint32_t data = count * simd / 8, mlen = (where == 2 ? 2 : 1) * simd / 8;
        uint32_t desc = lengths(mlen, write ? 0 : data) | type << 14 |
                        (simd == 16 ? 1u : 2u) << 12 | (~comps & 15) << 8 |
                        (where == 1 ? SLM : BTI);

        check_lanes(message(DC1, desc, simd, write ? data : 0), 4, 4, comps, &seed);
    }
}

static void byte_scattered_messages(void **state)
{
    uint64_t seed = 12;

    (void)state;
    for (uint32_t n = 0; n < 360; n++) {
        uint32_t code = n % 3, simd = n / 3 % 2 ? 16 : 8, where = n / 6 % 3;
        bool write = n / 18 % 2;
        uint32_t desc = lengths(simd / 8, write ? 0 : simd / 8) |
                        (write ? 0xCu : 0x4u) << 14 | code << 10 |
                        (simd == 16 ? 1u : 0u) << 8 | (where == 1 ? SLM : BTI);

        if (where == 2)
            desc = lengths(simd / 4, write ? 0 : simd / 8) |
                   (write ? 0x1Au : 0x10u) << 14 | code << 10 |
                   (simd == 16 ? 1u : 0u) << 12 | STATELESS;
        check_lanes(message(where == 2 ? DC1 : DC0, desc, simd, write ? simd / 8 : 0),
                    1u << code, 1, 1, &seed);
    }
}

static void wide_scattered_messages(void **state)
{
    uint64_t seed = 13;

    (void)state;
    for (uint32_t n = 0; n < 400; n++) {
        uint32_t size = n % 2 ? 8 : 4, log_count = n / 2 % 4, simd = n / 8 % 2 ? 16 : 8;
        bool write = n / 16 % 2;
        uint32_t data = (1u << log_count) * simd * size / 32;
        uint32_t desc = lengths(simd / 4, write ? 0 : data) |
                        (write ? 0x1Au : 0x10u) << 14 | (size == 8 ? 2u : 1u) << 8 |
                        log_count << 10 | (simd == 16 ? 1u : 0u) << 12 | STATELESS;

        if (data > 15)
            continue;
        check_lanes(message(DC1, desc, simd, write ? data : 0), size, size,
                    (1u << (1u << log_count)) - 1, &seed);
    }
}

/* ---- atomics ------------------------------------------------------------ */

static uint64_t atomic_model(uint32_t op, uint32_t size, uint64_t old, uint64_t a,
                             uint64_t b)
{
    int64_t so = size == 4 ? (int32_t)old : (int64_t)old;
    int64_t sa = size == 4 ? (int32_t)a : (int64_t)a;

    switch (op) {
    case ISA_ATOMIC_AND:
        return old & a;
    case ISA_ATOMIC_OR:
        return old | a;
    case ISA_ATOMIC_XOR:
        return old ^ a;
    case ISA_ATOMIC_XCHG:
        return a;
    case ISA_ATOMIC_INC:
        return old + 1;
    case ISA_ATOMIC_DEC:
    case ISA_ATOMIC_PREDEC:
        return old - 1;
    case ISA_ATOMIC_ADD:
        return old + a;
    case ISA_ATOMIC_SUB:
        return old - a;
    case ISA_ATOMIC_REVSUB:
        return a - old;
    case ISA_ATOMIC_IMAX:
        return (uint64_t)(so > sa ? so : sa);
    case ISA_ATOMIC_IMIN:
        return (uint64_t)(so < sa ? so : sa);
    case ISA_ATOMIC_UMAX:
        return old > a ? old : a;
    case ISA_ATOMIC_UMIN:
        return old < a ? old : a;
    default:
        return old == a ? b : old;
    }
}

/* where: 0 surface (32 bits), 1 SLM (32 bits), 2 A64 with 32 bits, 3 with 64. */
static struct isa_inst atomic_message(uint32_t op, uint32_t where, uint32_t simd,
                                      uint32_t operands)
{
    uint32_t size = where == 3 ? 8 : 4, data = operands * simd * size / 32;
    uint32_t desc =
        op << 8 | 1u << 13 |
        (where >= 2 ? lengths(2, size / 4) | 0x12u << 14 | (where - 2) << 12
                    : lengths(simd / 8, simd / 8) | 0x02u << 14 |
                          (simd == 8 ? 1u : 0u) << 12 | (where == 1 ? SLM : BTI));

    return message(DC1, desc, simd, data);
}

static void atomics_in_lane_order(void **state)
{
    uint64_t seed = 14;

    (void)state;
    for (uint32_t n = 0; n < 1500; n++) {
        uint32_t op = 1 + n % 15, where = n / 15 % 4;
        uint32_t simd = where < 2 && n / 60 % 2 ? 16 : 8, size = where == 3 ? 8 : 4;
        uint32_t operands =
            op == ISA_ATOMIC_CMPXCHG ? 2
            : op == ISA_ATOMIC_INC || op == ISA_ATOMIC_DEC || op == ISA_ATOMIC_PREDEC
                ? 0
                : 1;
        struct isa_inst in = atomic_message(op, where, simd, operands);
        uint8_t *mem = where == 1 ? slm : memory, grf[EMU_GRF_SIZE];
        uint32_t mask = (uint32_t)emu_rig_random(&seed) & ((1u << simd) - 1), at[16];

        fill(&seed);
        put_addresses(&seed, &in.msg, 40, 4, at);
        for (uint32_t i = 0; i < simd; i++) { /* few places: lanes collide */
            uint64_t va = memory_va + (at[i] %= 32) / 8 * 8;

            at[i] = at[i] / 8 * 8;
            memcpy(rig.t->grf + ADDR_REG * 32 + (where >= 2 ? 8 : 4) * i,
                   where >= 2 ? (void *)&va : (void *)&at[i], where >= 2 ? 8 : 4);
        }
        if (op == ISA_ATOMIC_CMPXCHG) /* some succeed */
            memcpy(rig.t->grf + DATA_REG * 32, mem + at[0], size);
        memcpy(model, mem, BYTES);
        memcpy(grf, rig.t->grf, sizeof(grf));
        for (uint32_t i = 0; i < simd; i++) {
            uint64_t old = 0, a = 0, b = 0, value;

            if (!(mask >> i & 1))
                continue;
            memcpy(&old, model + at[i], size);
            memcpy(&a, grf + DATA_REG * 32 + i * size, size);
            memcpy(&b, grf + DATA_REG * 32 + (simd + i) * size, size);
            value = atomic_model(op, size, old, a, b);
            memcpy(model + at[i], &value, size);
            memcpy(grf + DST_REG * 32 + i * size,
                   op == ISA_ATOMIC_PREDEC ? &value : &old, size);
        }
        accesses = 0;
        if (!emu_rig_run(&rig, &in, mask))
            fail_msg("%s", rig.err.text);
        check_access(&in.msg, mask, at);
        assert_memory_equal(mem, model, BYTES);
        assert_memory_equal(rig.t->grf, grf, sizeof(grf));
    }
}

/* Two elements compared and replaced as one; the old pair comes back. */
static void pairs_are_exchanged_whole(void **state)
{
    uint64_t seed = 15;

    (void)state;
    for (uint32_t n = 0; n < 200; n++) {
        uint32_t size = n & 1 ? 8 : 4, pair = 2 * size, data = 4 * 8 * size / 32;
        struct isa_inst in =
            message(DC1, lengths(2, pair / 4) | 0x12u << 14 | (n & 1) << 12 | 1u << 13,
                    8, data);
        uint8_t grf[EMU_GRF_SIZE];
        uint32_t mask = (uint32_t)emu_rig_random(&seed) & 0xFF;

        fill(&seed);
        for (uint32_t i = 0; i < 8; i++) {
            uint64_t va = memory_va + i % 5 * pair;

            memcpy(rig.t->grf + ADDR_REG * 32 + 8 * i, &va, 8);
            for (uint32_t k = 0; k < 2 && (n + i) % 3; k++)
                memcpy(rig.t->grf + DATA_REG * 32 + (8 * k + i) * size,
                       memory + i % 5 * pair + k * size, size);
        }
        memcpy(model, memory, BYTES);
        memcpy(grf, rig.t->grf, sizeof(grf));
        for (uint32_t i = 0; i < 8; i++) {
            const uint8_t *from = grf + DATA_REG * 32 + i * size;
            uint8_t *at = model + i % 5 * pair, old[16], want[16], new[16];

            if (!(mask >> i & 1))
                continue;
            memcpy(old, at, pair);
            for (uint32_t k = 0; k < 2; k++) {
                memcpy(want + k * size, from + 8 * k * size, size);
                memcpy(new + k *size, from + 8 * (k + 2) * size, size);
                memcpy(grf + DST_REG * 32 + (8 * k + i) * size, old + k * size, size);
            }
            if (memcmp(old, want, pair) == 0)
                memcpy(at, new, pair);
        }
        if (!emu_rig_run(&rig, &in, mask))
            fail_msg("%s", rig.err.text);
        assert_memory_equal(memory, model, BYTES);
        assert_memory_equal(rig.t->grf, grf, sizeof(grf));
    }
}

static void float_atomics(void **state)
{
    static const float want[] = {5, 2, 9};
    static const uint32_t codes[] = {1, 2, 3};

    (void)state;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t desc =
            lengths(1, 1) | 0x1Bu << 14 | 1u << 13 | 1u << 12 | codes[k] << 8 | BTI;
        struct isa_inst in = message(DC1, desc, 8, k == 2 ? 2 : 1);
        float value = k == 1 ? 5 : 2,
              operand = k == 1   ? 2
                        : k == 0 ? 5
                                 : 2,
              other = 9, out;
        uint32_t at = 64;

        memcpy(memory + at, &value, 4);
        memcpy(rig.t->grf + ADDR_REG * 32, &at, 4);
        memcpy(rig.t->grf + DATA_REG * 32, &operand, 4);
        memcpy(rig.t->grf + DATA_REG * 32 + 32, &other, 4);
        assert_true(emu_rig_run(&rig, &in, 1));
        memcpy(&out, memory + at, 4);
        assert_true(out == want[k]);
        memcpy(&out, rig.t->grf + DST_REG * 32, 4);
        assert_true(out == value);
    }
}

/* ---- blocks, scratch, fences -------------------------------------------- */

static void put_dword(uint32_t reg, uint32_t dword, uint32_t value)
{
    memcpy(rig.t->grf + reg * 32 + dword * 4, &value, 4);
}

static void blocks_move_whole_registers(void **state)
{
    static const uint32_t owords[] = {1, 1, 2, 4, 8};
    uint64_t seed = 15;

    (void)state;
    for (uint32_t n = 0; n < 300; n++) {
        uint32_t code = n % 5, bytes = owords[code] * 16, where = n / 5 % 4;
        bool write = n / 20 % 2, unaligned = !write && n % 2, high = code == 1;
        uint32_t grfs = (bytes + 31) / 32, sfid = DC0;
        uint32_t at = (uint32_t)(emu_rig_random(&seed) % (BYTES - bytes)) / 16 * 16;
        uint32_t unit = unaligned ? 1 : 16,
                 desc = 1u << 19 | code << 8 | lengths(1, write ? 0 : grfs);
        uint64_t va = memory_va + at;
        uint8_t *mem = where == 1 ? slm : memory;
        struct isa_inst in;

        fill(&seed);
        if (where >= 2) { /* A64, owords or hwords */
            sfid = DC1;
            desc |= (write ? 0x15u : 0x14u) << 14 |
                    (where == 3 && bytes >= 32 ? 3u : 1u) << 11;
            if (where == 3 && bytes >= 32)
                desc = (desc & ~0x700u) | (code - 1) << 8;
            memcpy(rig.t->grf + ADDR_REG * 32, &va, 8);
        } else {
            desc |= (write       ? 0x8u
                     : unaligned ? 0x1u
                                 : 0x0u)
                        << 14 |
                    (where ? SLM : BTI);
            put_dword(ADDR_REG, 2, at / unit);
        }
        in = message(sfid, desc, 8, write ? grfs : 0);
        accesses = 0;
        if (!emu_rig_run(&rig, &in, 1 + (uint32_t)(emu_rig_random(&seed) % 255)))
            fail_msg("%s", rig.err.text);
        assert_int_equal(accesses, 1);
        assert_int_equal(last.mask, 1);
        assert_int_equal(last_addr[0], where == 1 ? at : va);
        assert_int_equal(in.msg.block_bytes, bytes);
        assert_memory_equal(rig.t->grf + (write ? DATA_REG : DST_REG) * 32 +
                                (high ? 16 : 0),
                            mem + at, bytes);
    }
}

static void scratch_lies_behind_its_own_base(void **state)
{
    static uint8_t pool[8192];
    uint32_t desc = 1u << 19 | 1u << 18 | 1u << 12 | 3; /* 2 registers at 96 */
    struct isa_inst write, read;
    uint64_t seed = 16;

    (void)state;
    assert_int_equal(emu_mem_map_at(rig.mem, IGPU_VA_SCRATCH + 65536, pool,
                                    sizeof(pool), 0, &rig.err),
                     IGPU_OK);
    fill(&seed);
    put_dword(ADDR_REG, 5, 65536 + 1024 + 77); /* low bits are no address */
    write = message(DC0, desc | 1u << 17 | lengths(1, 0), 16, 2);
    assert_true(emu_rig_run(&rig, &write, 0xFFFF));
    assert_memory_equal(pool + 1024 + 96, rig.t->grf + DATA_REG * 32, 64);
    assert_int_equal(last_addr[0], IGPU_VA_SCRATCH + 65536 + 1024 + 96);
    read = message(DC0, desc | lengths(1, 2), 16, 0);
    assert_true(emu_rig_run(&rig, &read, 0xFFFF));
    assert_memory_equal(rig.t->grf + DST_REG * 32, rig.t->grf + DATA_REG * 32, 64);
    assert_false(emu_rig_run(&rig, &write, 0x7FFF));
    write = message(DC0, desc | 3u << 16 | lengths(1, 0), 16, 2); /* dword mode */
    memset(pool, 0xA5, sizeof(pool));
    assert_true(emu_rig_run(&rig, &write, 0x40F6));
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(pool[1024 + 96 + i],
                         0x40F6 >> i / 4 & 1 ? rig.t->grf[DATA_REG * 32 + i] : 0xA5);
    assert_int_equal(pool[1024 + 96 + 64], 0xA5);
    write = message(DC0, desc | 3u << 16 | lengths(1, 0), 8, 2); /* two for a lane */
    assert_false(emu_rig_run(&rig, &write, 0x7F));
    assert_true(emu_rig_run(&rig, &write, 0xFF));
    put_dword(ADDR_REG, 5, 0);
    assert_false(emu_rig_run(&rig, &read, 0xFFFF)); /* no base */
}

static void a_fence_writes_its_register(void **state)
{
    struct isa_inst in = message(DC0, 0x0219E000, 8, 0);
    static const uint8_t zero[32];

    (void)state;
    accesses = 0;
    memset(rig.t->grf + DST_REG * 32, 1, 32);
    assert_true(emu_rig_run(&rig, &in, 0xFF));
    assert_memory_equal(rig.t->grf + DST_REG * 32, zero, 32);
    assert_int_equal(accesses, 0);
}

static void sends_without_lanes_are_recorded_too(void **state)
{
    struct isa_inst in = message(DC1, 0x04205E00 | BTI, 16, 0);

    (void)state;
    memset(rig.t->grf + ADDR_REG * 32, 0xFF, 64);
    accesses = 0;
    last.mask = 7;
    assert_true(emu_rig_run(&rig, &in, 0xFFFF0000));
    assert_int_equal(accesses, 1);
    assert_int_equal(last.mask, 0);
}

/* ---- errors ------------------------------------------------------------- */

static void errors_name_lane_and_address(void **state)
{
    struct isa_inst in =
        message(DC1, lengths(2, 1) | 0x11u << 14 | 2u << 12 | 0xE00, 8, 0);
    uint64_t seed = 17, bad;
    char text[40];

    (void)state;
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t at[16];

        put_addresses(&seed, &in.msg, 4, 4, at);
        assert_true(emu_rig_run(&rig, &in, 0xFF));
        bad = memory_va + BYTES - (lane % 2 ? 3 : 0);
        memcpy(rig.t->grf + ADDR_REG * 32 + 8 * lane, &bad, 8);
        assert_true(emu_rig_run(&rig, &in, 0xFF & ~(1u << lane)));
        accesses = 0;
        assert_false(emu_rig_run(&rig, &in, 0xFF));
        assert_int_equal(accesses, 0);
        snprintf(text, sizeof(text), "lane %u reads 4 bytes at 0x%llX", lane,
                 (unsigned long long)bad);
        if (strstr(rig.err.text, text) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", rig.err.text, text);
    }
}

/* Lane 2 in front of the surface, lane 5 behind its end. */
static void put_lanes_outside(void)
{
    for (uint32_t i = 0; i < 8; i++)
        put_dword(ADDR_REG, i, 64 * i);
    put_dword(ADDR_REG, 2, UINT32_MAX - 3);
    put_dword(ADDR_REG, 5, BYTES - 3);
}

static void try_lanes_outside(uint32_t bti, uint8_t *mem)
{
    const uint32_t simd8 = 2u << 12 | 0xE00 | bti, returns = 1u << 13;
    uint32_t *dst = (uint32_t *)(void *)(rig.t->grf + DST_REG * 32);
    struct isa_inst read = message(DC1, lengths(1, 1) | 1u << 14 | simd8, 8, 0);
    struct isa_inst write = message(DC1, lengths(1, 0) | 9u << 14 | simd8, 8, 1);
    struct isa_inst add = message(
        DC1, lengths(1, 1) | 2u << 14 | returns | 1u << 12 | 7u << 8 | bti, 8, 1);
    uint64_t seed = 18;

    fill(&seed);
    put_lanes_outside();
    assert_false(emu_rig_run(&rig, &read, 0xFF));
    rig.launch.lenient = true;
    for (uint32_t n = 0; n < 2; n++) {
        struct isa_inst *in = n ? &add : &read;

        memcpy(model, mem, BYTES);
        memset(dst, 0xFF, 32);
        assert_true(emu_rig_run(&rig, in, 0xFF));
        assert_int_equal(last.mask, 0xDB);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(
                dst[i], i == 2 || i == 5 ? 0 : *(uint32_t *)(void *)(model + 64 * i));
    }
    memcpy(model, mem, BYTES);
    for (uint32_t i = 0; i < 8; i++)
        if (i != 2 && i != 5)
            memcpy(model + 64 * i, rig.t->grf + DATA_REG * 32 + 4 * i, 4);
    assert_true(emu_rig_run(&rig, &write, 0xFF));
    assert_memory_equal(mem, model, BYTES);
    rig.launch.lenient = false;
}

static void lenient_lanes_outside_touch_nothing(void **state)
{
    (void)state;
    try_lanes_outside(BTI, memory);
    try_lanes_outside(SLM, slm);
}

static void lenient_blocks_move_the_owords_inside(void **state)
{
    const uint32_t owords8 = 1u << 19 | 4u << 8 | BTI;
    struct isa_inst read = message(DC0, owords8 | lengths(1, 4), 8, 0);
    struct isa_inst write = message(DC0, owords8 | lengths(1, 0) | 8u << 14, 8, 4);
    uint8_t *dst = rig.t->grf + DST_REG * 32, zero[128] = {0};
    uint64_t seed = 19;

    (void)state;
    rig.launch.lenient = true;
    for (uint32_t inside = 0; inside < 128; inside += 16) {
        fill(&seed);
        put_dword(ADDR_REG, 2, (BYTES - inside) / 16);
        assert_true(emu_rig_run(&rig, &read, 0xFF));
        assert_int_equal(last.mask, inside != 0);
        assert_memory_equal(dst, memory + BYTES - inside, inside);
        assert_memory_equal(dst + inside, zero, 128 - inside);
        assert_true(emu_rig_run(&rig, &write, 0xFF));
        assert_memory_equal(memory + BYTES - inside, rig.t->grf + DATA_REG * 32,
                            inside);
    }
    rig.launch.lenient = false;
}

static void read_only_buffers_refuse_writes(void **state)
{
    struct isa_inst in =
        message(DC1, lengths(2, 0) | 0x19u << 14 | 2u << 12 | 0xE00, 8, 1);
    static uint32_t constants[4] = {1, 2, 3, 4};
    uint64_t va;

    (void)state;
    assert_int_equal(emu_mem_map(rig.mem, constants, sizeof(constants),
                                 EMU_MAP_READ_ONLY, &va, &rig.err),
                     IGPU_OK);
    memcpy(rig.t->grf + ADDR_REG * 32, &va, 8);
    assert_false(emu_rig_run(&rig, &in, 1));
    assert_non_null(strstr(rig.err.text, "read-only"));
    assert_int_equal(constants[0], 1);
    assert_true(emu_mem_unmap(rig.mem, va));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untyped_messages),
        cmocka_unit_test(byte_scattered_messages),
        cmocka_unit_test(wide_scattered_messages),
        cmocka_unit_test(atomics_in_lane_order),
        cmocka_unit_test(pairs_are_exchanged_whole),
        cmocka_unit_test(float_atomics),
        cmocka_unit_test(blocks_move_whole_registers),
        cmocka_unit_test(scratch_lies_behind_its_own_base),
        cmocka_unit_test(a_fence_writes_its_register),
        cmocka_unit_test(sends_without_lanes_are_recorded_too),
        cmocka_unit_test(errors_name_lane_and_address),
        cmocka_unit_test(lenient_lanes_outside_touch_nothing),
        cmocka_unit_test(lenient_blocks_move_the_owords_inside),
        cmocka_unit_test(read_only_buffers_refuse_writes),
    };

    return cmocka_run_group_tests(tests, open_rig, close_rig);
}
