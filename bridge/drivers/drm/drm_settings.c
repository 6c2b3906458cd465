/* drm_settings.c - what igpu gl tells the library, and what the library finds out. */
#define _GNU_SOURCE /* dl_iterate_phdr, memmem */
#include "bridge/drivers/drm/drm.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/host/sim/config_file.h"
#include "traces/frame/node_settings.h"

static struct drm_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t setting_number(enum node_setting setting)
{
    const char *text = node_get(setting);

    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

/* Of the machine that the device is; what igpu looked through before has no errors. */
static uint32_t clock_of(const struct drm_settings *s)
{
    struct igpu_config config;
    struct igpu_err err;

    return drm_machine(s, &config, &err) == IGPU_OK
               ? (uint32_t)(config.gpu_clock_hz / 1000000)
               : 0;
}

enum igpu_status drm_machine(const struct drm_settings *s, struct igpu_config *config,
                             struct igpu_err *err)
{
    enum igpu_status status = config_load(config, s->machine, err);
    char set[sizeof(s->set)], *rest = NULL;

    memcpy(set, s->set, sizeof(set));
    for (char *pair = strtok_r(set, " ", &rest); pair != NULL && status == IGPU_OK;
         pair = strtok_r(NULL, " ", &rest))
        status = igpu_config_set(config, pair, err);
    return status == IGPU_OK ? igpu_config_check(config, err) : status;
}

static void settings_load(void)
{
    const char *device = node_get(NODE_DEVICE), *command = node_get(NODE_COMMAND);
    const char *driver = node_get(NODE_DRIVER);
    bool kbl = device != NULL && strcmp(device, "kbl-gt3e") == 0;

    settings.out = node_get(NODE_OUT);
    settings.status = node_get(NODE_STATUS);
    settings.first = setting_number(NODE_FIRST);
    settings.last = setting_number(NODE_LAST);
    settings.execute = node_get(NODE_NO_EXECUTE) == NULL;
    settings.neo = driver != NULL && strcmp(driver, "neo") == 0;
    settings.device = kbl ? "kbl-gt3e" : "skl";
    settings.pci = kbl ? 0x5926 : 0x1912; /* Iris Plus 640; HD Graphics 530 */
    settings.revision = 6;
    settings.slices = kbl ? 2 : 1;
    settings.time = node_get(NODE_TIME) != NULL;
    settings.list = node_get(NODE_TIMES);
    settings.machine = getenv("IGPU_CONFIG");
    if (settings.machine == NULL || !settings.time)
        settings.machine = kbl ? "kbl-gt3e" : "skl-gt2";
    if (settings.time && getenv("IGPU_SET") != NULL)
        (void)snprintf(settings.set, sizeof(settings.set), "%s", getenv("IGPU_SET"));
    settings.mhz = clock_of(&settings);
    (void)snprintf(settings.command, sizeof(settings.command), "%s",
                   command != NULL ? command : "?");
}

const struct drm_settings *drm_settings(void)
{
    (void)pthread_once(&once, settings_load);
    return &settings;
}

void drm_say(const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    fprintf(stderr, "%s: %s\n", settings.neo ? "igpu run" : "igpu gl", text);
}

/* ---- Mesa's version ----------------------------------------------------- */

struct version {
    char *to;
    size_t bytes;
};

/* Three numbers at its beginning. */
static bool is_version(const char *text, size_t bytes)
{
    unsigned numbers = 0, digits = 0;

    for (size_t i = 0; i <= bytes && numbers < 3; i++) {
        bool digit = i < bytes && text[i] >= '0' && text[i] <= '9';

        if (!digit && (digits == 0 || (numbers < 2 && (i == bytes || text[i] != '.'))))
            return false;
        numbers += !digit;
        digits = digit ? digits + 1 : 0;
    }
    return numbers == 3;
}

/* `word`, as in a text of every one of Mesa's drivers, and a version. */
static bool scan(const char *text, size_t bytes, const char *word, struct version *v)
{
    const char *at = text, *end = text + bytes;

    while ((at = memmem(at, (size_t)(end - at), word, strlen(word))) != NULL) {
        size_t n = 0;

        at += strlen(word);
        while (at + n < end && n + 1 < v->bytes && at[n] > ' ' && at[n] < 127)
            n++;
        if (is_version(at, n)) {
            memcpy(v->to, at, n);
            v->to[n] = '\0';
            return true;
        }
    }
    return false;
}

static int object_look(struct dl_phdr_info *info, size_t size, void *ctx)
{
    const char *name = info->dlpi_name;
    struct stat st;
    bool found = false;
    void *text;
    int fd;

    (void)size;
    if (name == NULL ||
        (strstr(name, "_dri.so") == NULL && strstr(name, "libvulkan_intel") == NULL))
        return 0;
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
        text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (text != MAP_FAILED) {
            found = scan(text, (size_t)st.st_size, "Mesa ", ctx) ||
                    scan(text, (size_t)st.st_size, "%s ", ctx);
            (void)munmap(text, (size_t)st.st_size);
        }
    }
    (void)close(fd);
    return found;
}

void drm_mesa_version(char *to, size_t bytes)
{
    struct version v = {to, bytes};

    (void)snprintf(to, bytes, "?");
    (void)dl_iterate_phdr(object_look, &v);
}
