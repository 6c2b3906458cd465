/* ioctls.c - for tests/bridge/test_node.sh: the render node, asked as a driver asks it:
 * addresses that are none, objects and contexts that are none, batches that no i915
 * takes. Each call must fail with its error, and the program live.
 *   ioctls
 *   ioctls huge: an object of 3 GB of which a page is written, in ten batches
 *   ioctls noise N: N calls of random contents, from a fixed seed */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include "../../support/rng.h"

static int fd, wrong;
static void *const nowhere = (void *)64;
enum { PAGE = 4096 };

/* What the call gives: 0 or its error. */
static int ask(unsigned long request, void *arg)
{
    return ioctl(fd, request, arg) == 0 ? 0 : errno;
}

static void expect(const char *what, int got, int wanted)
{
    if (got == wanted)
        return;
    printf("%s: %s, not %s\n", what, got ? strerrorname_np(got) : "0",
           wanted ? strerrorname_np(wanted) : "0");
    wrong = 1;
}

static uint32_t new_object(uint64_t bytes)
{
    struct drm_i915_gem_create c = {.size = bytes};

    expect("GEM_CREATE", ask(DRM_IOCTL_I915_GEM_CREATE, &c), 0);
    return c.handle;
}

static uint8_t *map_object(uint32_t handle, uint64_t bytes)
{
    struct drm_i915_gem_mmap_offset m = {.handle = handle,
                                         .flags = I915_MMAP_OFFSET_WB};

    expect("MMAP_OFFSET", ask(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &m), 0);
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)m.offset);
}

/* ---- addresses that are none -------------------------------------------- */

static void bad_addresses(void)
{
    const struct {
        const char *name;
        unsigned long request;
    } calls[] = {
        {"VERSION", DRM_IOCTL_VERSION},
        {"GET_CAP", DRM_IOCTL_GET_CAP},
        {"GEM_CLOSE", DRM_IOCTL_GEM_CLOSE},
        {"GETPARAM", DRM_IOCTL_I915_GETPARAM},
        {"QUERY", DRM_IOCTL_I915_QUERY},
        {"GEM_CREATE", DRM_IOCTL_I915_GEM_CREATE},
        {"EXECBUFFER2", DRM_IOCTL_I915_GEM_EXECBUFFER2},
        {"CONTEXT_CREATE", DRM_IOCTL_I915_GEM_CONTEXT_CREATE},
        {"GEM_USERPTR", DRM_IOCTL_I915_GEM_USERPTR},
        {"GEM_WAIT", DRM_IOCTL_I915_GEM_WAIT},
        {"REG_READ", DRM_IOCTL_I915_REG_READ},
        {"SYNCOBJ_WAIT", DRM_IOCTL_SYNCOBJ_WAIT},
        {"PRIME_HANDLE_TO_FD", DRM_IOCTL_PRIME_HANDLE_TO_FD},
    };
    struct drm_version v = {.name_len = 5, .name = nowhere};
    struct drm_i915_getparam p = {I915_PARAM_CHIPSET_ID, nowhere};
    struct drm_i915_query q = {.num_items = 1, .items_ptr = (uintptr_t)nowhere};
    struct drm_i915_query_item item = {.query_id = DRM_I915_QUERY_TOPOLOGY_INFO,
                                       .length = 100,
                                       .data_ptr = (uintptr_t)nowhere};
    struct drm_syncobj_wait w = {.handles = (uintptr_t)nowhere, .count_handles = 2};
    struct drm_syncobj_array a = {.handles = (uintptr_t)nowhere, .count_handles = 2};
    struct drm_i915_gem_execbuffer2 e = {.buffers_ptr = (uintptr_t)nowhere,
                                         .buffer_count = 2};
    struct drm_i915_gem_userptr u = {.user_size = PAGE};
    void *page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        expect(calls[i].name, ask(calls[i].request, nowhere), EFAULT);
    expect("a name to nowhere", ask(DRM_IOCTL_VERSION, &v), EFAULT);
    expect("a value to nowhere", ask(DRM_IOCTL_I915_GETPARAM, &p), EFAULT);
    expect("queries from nowhere", ask(DRM_IOCTL_I915_QUERY, &q), EFAULT);
    q.items_ptr = (uintptr_t)&item;
    expect("a topology to nowhere", ask(DRM_IOCTL_I915_QUERY, &q), EFAULT);
    expect("fences from nowhere", ask(DRM_IOCTL_SYNCOBJ_WAIT, &w), EFAULT);
    expect("resets from nowhere", ask(DRM_IOCTL_SYNCOBJ_RESET, &a), EFAULT);
    expect("objects from nowhere", ask(DRM_IOCTL_I915_GEM_EXECBUFFER2, &e), EFAULT);
    u.user_ptr = (uintptr_t)page;
    u.flags = I915_USERPTR_PROBE;
    expect("memory that is none", ask(DRM_IOCTL_I915_GEM_USERPTR, &u), EFAULT);
}

/* ---- batches ------------------------------------------------------------ */

static struct drm_i915_gem_exec_object2 object[3];
static struct drm_i915_gem_execbuffer2 call;

static void begin(uint64_t va)
{
    memset(object, 0, sizeof(object));
    memset(&call, 0, sizeof(call));
    for (uint32_t i = 0; i < 3; i++) {
        object[i].handle = i + 1;
        object[i].offset = va + i * 0x10000;
        object[i].flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
    }
    call.buffers_ptr = (uintptr_t)object;
    call.buffer_count = 3;
    call.flags = I915_EXEC_RENDER;
}

static int run(void)
{
    return ask(DRM_IOCTL_I915_GEM_EXECBUFFER2, &call);
}

/* Objects with extensions, as Intel's compute driver makes them. */
static void regions(void)
{
    const struct drm_i915_gem_memory_class_instance system = {I915_MEMORY_CLASS_SYSTEM,
                                                              0},
                                                    local = {I915_MEMORY_CLASS_DEVICE,
                                                             0};
    struct drm_i915_gem_create_ext_memory_regions list = {
        .base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS,
        .num_regions = 1,
        .regions = (uintptr_t)&system};
    struct drm_i915_gem_create_ext c = {.size = 100, .extensions = (uintptr_t)&list};
    struct drm_i915_reset_stats r = {.ctx_id = 0};

    expect("an object in a region", ask(DRM_IOCTL_I915_GEM_CREATE_EXT, &c), 0);
    expect("its size", (int)c.size, 4096);
    list.regions = (uintptr_t)&local;
    expect("a region that is none", ask(DRM_IOCTL_I915_GEM_CREATE_EXT, &c), EINVAL);
    list.regions = (uintptr_t)nowhere;
    expect("regions from nowhere", ask(DRM_IOCTL_I915_GEM_CREATE_EXT, &c), EFAULT);
    list.regions = (uintptr_t)&system;
    list.base.next_extension = (uintptr_t)&list;
    expect("extensions in a circle", ask(DRM_IOCTL_I915_GEM_CREATE_EXT, &c), EINVAL);
    list.base = (struct i915_user_extension){.name = 99};
    expect("an extension that is none", ask(DRM_IOCTL_I915_GEM_CREATE_EXT, &c), EINVAL);
    c.extensions = 0;
    c.flags = 2;
    expect("a flag of an object", ask(DRM_IOCTL_I915_GEM_CREATE_EXT, &c), EINVAL);
    expect("resets", ask(DRM_IOCTL_I915_GET_RESET_STATS, &r), 0);
    expect("there was none", (int)(r.batch_active + r.batch_pending), 0);
}

static void bad_batches(void)
{
    static uint8_t own[2 * PAGE] __attribute__((aligned(PAGE)));
    struct drm_i915_gem_userptr u = {.user_size = PAGE};
    struct drm_i915_gem_exec_fence fence = {.handle = 99,
                                            .flags = I915_EXEC_FENCE_WAIT};
    struct drm_syncobj_create s = {.handle = 0};
    const uint32_t end = 0x05000000; /* MI_BATCH_BUFFER_END */

    for (uint32_t i = 0; i < 3; i++) { /* handles 1 to 3: nothing else was made */
        uint32_t handle = new_object(PAGE);

        expect("its handle", (int)handle, (int)i + 1);
        memcpy(map_object(handle, PAGE), &end, sizeof(end));
    }
    begin(0x100000);
    expect("a batch", run(), 0);
    begin(0x100000);
    object[1].handle = 77;
    expect("an object that is none", run(), ENOENT);
    begin(0x100000);
    call.rsvd1 = 77;
    expect("a context that is none", run(), ENOENT);
    begin(0x100010);
    expect("an address within a page", run(), EINVAL);
    begin(0x7FFFFFFE0000);
    expect("addresses beyond 2^47", run(), EINVAL);
    begin(0x100000);
    object[1].offset = object[0].offset;
    expect("two objects at one address", run(), ENOSPC);
    begin(0x100000);
    object[1].handle = 1;
    expect("an object at two addresses", run(), EINVAL);
    object[1].offset = object[0].offset;
    expect("an object listed twice", run(), 0);
    begin(0x100000);
    call.batch_start_offset = 2;
    expect("a start that is no multiple of 8", run(), EINVAL);
    call.batch_start_offset = PAGE;
    expect("a start behind the object", run(), EINVAL);
    begin(0x100000);
    call.flags = I915_EXEC_BSD;
    expect("an engine that is none", run(), EINVAL);
    call.flags = 1u << 31;
    expect("a flag that is none", run(), EINVAL);
    begin(0x100000);
    call.num_cliprects = 1;
    expect("rectangles", run(), EINVAL);
    call.flags |= I915_EXEC_FENCE_ARRAY;
    call.cliprects_ptr = (uintptr_t)&fence;
    expect("a fence that is none", run(), ENOENT);
    expect("SYNCOBJ_CREATE", ask(DRM_IOCTL_SYNCOBJ_CREATE, &s), 0);
    fence.handle = s.handle;
    expect("a fence that nothing signals", run(), EINVAL);
    fence.flags = I915_EXEC_FENCE_SIGNAL;
    expect("a fence to signal", run(), 0);
    fence.flags = I915_EXEC_FENCE_WAIT;
    expect("that fence", run(), 0);
    u.user_ptr = (uintptr_t)own;
    expect("GEM_USERPTR", ask(DRM_IOCTL_I915_GEM_USERPTR, &u), 0);
    begin(0x100000);
    object[0].handle = u.handle;
    expect("the program's memory", run(), 0);
    (void)munmap(own, sizeof(own));
    expect("that memory, given back", run(), EFAULT);
    u.user_ptr = 3;
    expect("memory within a page", ask(DRM_IOCTL_I915_GEM_USERPTR, &u), EINVAL);
}

/* A batch that stores to an object whose address it does not know, twice: the second
 * time everything is where the program was told. */
static void relocated(void)
{
    static uint32_t command[8] = {0x10000002, 0, 0, 4711, 0x05000000};
    struct drm_i915_gem_relocation_entry r = {.delta = 8, .offset = 4};
    uint32_t batch = new_object(PAGE), target = new_object(PAGE);
    uint8_t *to = map_object(target, PAGE), *from = map_object(batch, PAGE);

    memset(object, 0, sizeof(object));
    memset(&call, 0, sizeof(call));
    memcpy(from, command, sizeof(command));
    object[0].handle = r.target_handle = target;
    object[1].handle = batch;
    object[1].relocation_count = 1;
    object[1].relocs_ptr = (uintptr_t)&r;
    r.presumed_offset = UINT64_MAX;
    call.buffers_ptr = (uintptr_t)object;
    call.buffer_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t found = 0;

        memset(to, 0, PAGE);
        expect("a batch with relocations", run(), 0);
        memcpy(&found, to + 8, sizeof(found));
        expect("what it stored", (int)found, getenv("IGPU_GL_NO_EXECUTE") ? 0 : 4711);
        expect("its address",
               object[0].offset != 0 && r.presumed_offset == object[0].offset, 1);
    }
    r.target_handle = 99;
    expect("a relocation to none", run(), ENOENT);
    r.target_handle = target;
    r.offset = PAGE - 4;
    expect("a relocation behind the end", run(), EINVAL);
    object[1].relocs_ptr = (uintptr_t)nowhere;
    expect("relocations from nowhere", run(), EFAULT);
}

/* ---- fences as files ---------------------------------------------------- */

static void files(void)
{
    struct drm_syncobj_create s = {.handle = 0};
    struct drm_syncobj_handle h = {.flags =
                                       DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
    struct drm_syncobj_handle shared = {.handle = 0};
    struct drm_syncobj_array one = {.count_handles = 1};
    struct drm_syncobj_destroy d = {.handle = 0};
    struct pollfd p = {.events = POLLIN};

    expect("SYNCOBJ_CREATE", ask(DRM_IOCTL_SYNCOBJ_CREATE, &s), 0);
    h.handle = shared.handle = d.handle = s.handle;
    one.handles = (uintptr_t)&s.handle;
    expect("a file of no fence", ask(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), EINVAL);
    expect("an object's file", ask(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &shared), 0);
    expect("SIGNAL", ask(DRM_IOCTL_SYNCOBJ_SIGNAL, &one), 0);
    expect("a fence's file", ask(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h), 0);
    p.fd = h.fd;
    expect("is ready", poll(&p, 1, 0), 1);
    expect("DESTROY", ask(DRM_IOCTL_SYNCOBJ_DESTROY, &d), 0);
    expect("DESTROY again", ask(DRM_IOCTL_SYNCOBJ_DESTROY, &d), EINVAL);
    shared.handle = 0;
    expect("the object by its file", ask(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &shared), 0);
    h.handle = shared.handle;
    one.handles = (uintptr_t)&shared.handle;
    expect("RESET", ask(DRM_IOCTL_SYNCOBJ_RESET, &one), 0);
    expect("the fence into it", ask(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h), 0);
    h.fd = 0;
    expect("another file", ask(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h), EINVAL);
}

/* ---- much --------------------------------------------------------------- */

static void huge(void)
{
    const uint64_t bytes = (uint64_t)3 << 30;
    uint32_t end[2] = {0x05000000, 0};
    uint8_t *map;

    object[0].handle = new_object(bytes);
    object[1].handle = new_object(PAGE);
    map = map_object(object[0].handle, bytes);
    memcpy(map_object(object[1].handle, PAGE), end, sizeof(end));
    object[0].offset = 0x100000000;
    object[1].offset = 0x10000;
    call.buffers_ptr = (uintptr_t)object;
    call.buffer_count = 2;
    for (uint32_t i = 0; i < 10; i++) {
        map[bytes / 2] = (uint8_t)(i + 1);
        expect("a batch", run(), 0);
    }
}

static uint32_t noise(void)
{
    static uint64_t state = 1;

    return (uint32_t)(lcg_next(&state) >> 33);
}

/* Calls by any number, of words that are small, or an address, or anything. */
static void make_noise(unsigned long count)
{
    static uint64_t field[64];
    static const int skipped[] = {DRM_IOCTL_NR(DRM_IOCTL_SYNCOBJ_WAIT),
                                  DRM_IOCTL_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT),
                                  DRM_IOCTL_NR(DRM_IOCTL_SYNCOBJ_TRANSFER)};

    for (unsigned long i = 0; i < count; i++) {
        unsigned number = noise() & 1 ? 0x40 + noise() % 0x3D : noise() % 0xD0;
        uint64_t word[8];
        int waits = 0;

        for (unsigned k = 0; k < 8; k++) {
            const uint64_t kinds[8] = {0,
                                       noise() % 16,
                                       noise() % 16,
                                       (uintptr_t)field,
                                       (uintptr_t)nowhere,
                                       noise(),
                                       (uint64_t)noise() << 32 | noise(),
                                       PAGE};

            word[k] = kinds[noise() % 8];
        }
        for (unsigned k = 0; k < 64; k++)
            field[k] = noise() % 4 ? noise() % 32 : noise();
        for (size_t k = 0; k < sizeof(skipped) / sizeof(skipped[0]); k++)
            waits |= (int)number == skipped[k];
        if (!waits) /* for ever, if they are told to */
            (void)ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, number, 64),
                        word);
    }
}

int main(int argc, char **argv)
{
    fd = open("/dev/dri/renderD128", O_RDWR);
    if (fd < 0)
        return 3;
    if (argc > 1 && strcmp(argv[1], "huge") == 0) {
        huge();
        return wrong;
    }
    if (argc > 2) {
        make_noise(strtoul(argv[2], NULL, 10));
        return 0;
    }
    bad_batches();
    relocated();
    regions();
    bad_addresses();
    files();
    return wrong;
}
