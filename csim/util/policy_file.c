/* policy_file.c - see igpu/policy_file.h. */
#include "igpu/policy_file.h"
#include "igpu/hash.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/policy.h"

enum { MAX_LOADED = 64, MAX_TEXT = 100 /* characters of a path that are printed */ };

static struct loaded {
    uint64_t value;
    enum igpu_policy_kind kind;
    const void *object;
    char *path;
} table[MAX_LOADED];
static unsigned count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *symbol_of(enum igpu_policy_kind kind)
{
    return kind == IGPU_POLICY_PREFETCH ? "igpu_prefetch" : "igpu_replacement";
}

/* A row of the table, which only grows, or NULL; the caller has the lock. */
static const struct loaded *find_locked(uint64_t value)
{
    for (unsigned i = 0; i < count; i++)
        if (table[i].value == value)
            return &table[i];
    return NULL;
}

static const struct loaded *loaded_find(uint64_t value)
{
    const struct loaded *found;

    pthread_mutex_lock(&lock);
    found = find_locked(value);
    pthread_mutex_unlock(&lock);
    return found;
}

const void *igpu_policy_loaded(uint64_t value, enum igpu_policy_kind kind)
{
    const struct loaded *l = value >= IGPU_POLICY_LOADED ? loaded_find(value) : NULL;

    return l != NULL && l->kind == kind ? l->object : NULL;
}

const char *igpu_policy_path(uint64_t value)
{
    const struct loaded *l = value >= IGPU_POLICY_LOADED ? loaded_find(value) : NULL;

    return l != NULL ? l->path : NULL;
}

/* ---- trials: an object answers as its interface says, and twice alike ---- */

static uint32_t draw(uint64_t *state)
{
    return (uint32_t)(igpu_splitmix(state) >> 33);
}

/* A set is filled, used and replaced. False: a victim is no way of the set. */
static bool try_set(const struct igpu_replacement *p, uint8_t *set, uint32_t ways,
                    uint64_t *digest)
{
    uint64_t state = ways;

    for (uint32_t way = 0; way < ways; way++)
        p->fill(set, ways, way);
    for (int i = 0; i < 2000; i++) {
        uint32_t way = draw(&state) % ways;

        if (draw(&state) % 3 == 0) {
            way = p->victim(set, ways, 5);
            if (way >= ways)
                return false;
            p->fill(set, ways, way);
        } else {
            p->touch(set, ways, way);
        }
        *digest = *digest * 31 + way;
    }
    return true;
}

static const char *try_replacement(const struct igpu_replacement *p)
{
    static const uint32_t sizes[] = {1, 2, 16, 48, 64, IGPU_POLICY_WAYS};
    uint64_t digest[2] = {0, 0};

    if (p->bytes == NULL || p->victim == NULL || p->touch == NULL || p->fill == NULL)
        return "bytes, victim, touch and fill have to be functions";
    for (unsigned i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint32_t ways = sizes[i / 2], bytes = p->bytes(ways);
        uint8_t *set;
        bool fits;

        if (bytes > IGPU_POLICY_BYTES)
            return "bytes() is over 65536";
        set = calloc(1, bytes + 1U);
        fits = set != NULL && try_set(p, set, ways, &digest[i % 2]);
        free(set);
        if (!fits)
            return "victim() is not below ways";
    }
    return digest[0] == digest[1] ? NULL : "two trials of it differ";
}

static bool try_lines(const struct igpu_prefetch *p, uint8_t *memory, uint64_t *digest)
{
    uint64_t ask[IGPU_PREFETCH_LINES], state = 1;

    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t line = i % 3 == 0 ? draw(&state) : i;
        uint32_t n = p->access(memory, line, draw(&state) % 2 == 0, ask);

        if (n > IGPU_PREFETCH_LINES)
            return false;
        for (uint32_t k = 0; k < n; k++)
            *digest = *digest * 31 + ask[k];
    }
    return true;
}

static const char *try_prefetch(const struct igpu_prefetch *p)
{
    uint64_t digest[2] = {0, 0};

    if (p->access == NULL)
        return "access has to be a function";
    if (p->bytes > IGPU_POLICY_BYTES)
        return "bytes is over 65536";
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *memory = calloc(1, p->bytes + 1U);
        bool fits = memory != NULL && try_lines(p, memory, &digest[i]);

        free(memory);
        if (!fits)
            return "access() asks for over 16 lines";
    }
    return digest[0] == digest[1] ? NULL : "two trials of it differ";
}

/* What is wrong with the object; NULL: nothing. */
static const char *fault_of(const void *object, enum igpu_policy_kind kind)
{
    const struct igpu_prefetch *p = object;
    const struct igpu_replacement *r = object;

    if (kind == IGPU_POLICY_PREFETCH)
        return p->name == NULL ? "it has no name" : try_prefetch(p);
    return r->name == NULL ? "it has no name" : try_replacement(r);
}

/* ---- loading ---- */

/* FNV-1a of the file's bytes and the kind, among the values of objects. False: it
 * cannot be read. */
static bool digest_of(const char *path, enum igpu_policy_kind kind, uint64_t *value)
{
    uint64_t hash = IGPU_FNV_BEGIN ^ (uint64_t)kind;
    FILE *file = fopen(path, "rb");
    uint8_t bytes[4096];
    size_t n;
    bool whole;

    if (file == NULL)
        return false;
    while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        hash = igpu_fnv(hash, bytes, n);
    whole = ferror(file) == 0;
    (void)fclose(file);
    *value = IGPU_POLICY_LOADED | (hash & (IGPU_POLICY_LOADED - 1));
    return whole;
}

static enum igpu_status check_object(const char *path, enum igpu_policy_kind kind,
                                     const void *object, struct igpu_err *err)
{
    uint32_t version;
    const char *fault;

    if (object == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "%.*s: it exports no '%s', which a policy of this kind is "
                         "(igpu/policy.h)",
                         MAX_TEXT, path, symbol_of(kind));
    memcpy(&version, object, sizeof(version)); /* the first member of each kind */
    if (version != IGPU_POLICY_VERSION)
        return igpu_fail(err, IGPU_USAGE,
                         "%.*s: it is of version %u of igpu/policy.h; expected %d: "
                         "build it again",
                         MAX_TEXT, path, version, IGPU_POLICY_VERSION);
    fault = fault_of(object, kind);
    if (fault == NULL)
        return IGPU_OK;
    return igpu_fail(err, IGPU_USAGE, "%.*s: the policy does not fit: %s", MAX_TEXT,
                     path, fault);
}

static enum igpu_status file_load(const char *path, enum igpu_policy_kind kind,
                                  struct loaded *row, struct igpu_err *err)
{
    enum igpu_status status;
    void *handle;

    if (count == MAX_LOADED)
        return igpu_fail(err, IGPU_USAGE, "%.*s: over %d policies of files", MAX_TEXT,
                         path, MAX_LOADED);
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *why = dlerror();

        return igpu_fail(err, IGPU_USAGE,
                         "%.*s: no shared object that can be loaded: %.200s", MAX_TEXT,
                         path, why != NULL ? why : "unknown");
    }
    row->kind = kind;
    row->object = dlsym(handle, symbol_of(kind));
    status = check_object(path, kind, row->object, err);
    row->path = status == IGPU_OK ? strdup(path) : NULL;
    if (row->path == NULL) {
        (void)dlclose(handle);
        return status != IGPU_OK ? status : igpu_no_memory(err, "a policy");
    }
    table[count++] = *row; /* it stays until the process ends */
    return IGPU_OK;
}

enum igpu_status igpu_policy_load(const char *path, enum igpu_policy_kind kind,
                                  uint64_t *value, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    struct loaded row = {0};

    if (!digest_of(path, kind, &row.value))
        return igpu_fail(err, IGPU_USAGE, "%.*s: cannot be read", MAX_TEXT, path);
    pthread_mutex_lock(&lock);
    if (find_locked(row.value) == NULL)
        status = file_load(path, kind, &row, err);
    pthread_mutex_unlock(&lock);
    if (status == IGPU_OK)
        *value = row.value;
    return status;
}
