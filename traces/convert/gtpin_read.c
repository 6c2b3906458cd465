/* gtpin_read.c - a dump as a sequence of kernels and instructions, see gtpin.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/convert/gtpin.h"

enum { MAX_LINE = 1 << 16 };

enum igpu_status gtpin_open(struct gtpin_reader *r, const char *path,
                            struct igpu_err *err)
{
    memset(r, 0, sizeof(*r));
    r->path = path;
    r->file = fopen(path, "r");
    if (!r->file)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: cannot open: %s; expected a GT-Pin text dump", path,
                         strerror(errno));
    return IGPU_OK;
}

void gtpin_close(struct gtpin_reader *r)
{
    if (r->file)
        (void)fclose(r->file);
    free(r->line);
    r->file = NULL;
    r->line = NULL;
}

static enum gtpin_event bad_line(const struct gtpin_reader *r, const char *what,
                                 const char *text, struct igpu_err *err)
{
    (void)igpu_fail(err, IGPU_BAD_INPUT, "%s: line %" PRIu64 ": %s: %.60s", r->path,
                    r->number, what, text);
    return GTPIN_ERROR;
}

/* The next line without its end into r->line; false at the end of the file. */
static bool read_line(struct gtpin_reader *r, struct igpu_err *err, bool *failed)
{
    ssize_t length;

    *failed = false;
    if (r->pending) {
        r->pending = false;
        return true;
    }
    length = getline(&r->line, &r->capacity, r->file);
    if (length < 0) {
        *failed = !feof(r->file); /* an error, or no memory for the line */
        r->ended = true;
        if (*failed)
            (void)igpu_fail(err, IGPU_BAD_INPUT,
                            "%s: cannot read after line %" PRIu64 ": %s", r->path,
                            r->number, strerror(errno));
        return false;
    }
    r->number++;
    if (length > MAX_LINE || strlen(r->line) != (size_t)length) {
        (void)bad_line(r, "no text line; expected `key: value`", "", err);
        *failed = true;
        return false;
    }
    if (r->line[length - 1] != '\n') { /* cut: it may lack digits of a number */
        r->ended = r->open_line = true;
        return false;
    }
    while (length > 0 && isspace((unsigned char)r->line[length - 1]))
        r->line[--length] = '\0';
    return true;
}

/* Cut "key: value" in two; NULL when there is no colon or no value. */
static char *line_split(char *line, char **key)
{
    char *colon = strchr(line, ':');

    while (isspace((unsigned char)*line))
        line++;
    *key = line;
    if (!colon)
        return NULL;
    *colon++ = '\0';
    while (isspace((unsigned char)*colon))
        colon++;
    return *colon ? colon : NULL;
}

/* The number in its kernel that a uid "kernel_block_number" ends with. */
static bool uid_number(const char *uid, int64_t *id)
{
    const char *last = strrchr(uid, '_');
    char *end;
    unsigned long n;

    if (!last || !isdigit((unsigned char)last[1]))
        return false;
    n = strtoul(last + 1, &end, 10);
    if (n >= GTPIN_MAX_INST || (*end && strcmp(end, "\"") != 0))
        return false;
    *id = (int64_t)n;
    return true;
}

static bool address(struct gtpin_reader *r, const char *value)
{
    char *end;

    if (r->addrs == GTPIN_MAX_ADDRS)
        return false;
    errno = 0;
    r->addr[r->addrs] = strtoull(value, &end, 0);
    if (errno || end == value || *end || value[0] == '-')
        return false;
    r->addrs++;
    return true;
}

/* A line inside an instruction. False and the message for a bad value. */
static bool instruction_line(struct gtpin_reader *r, struct igpu_err *err)
{
    char *key, *value = line_split(r->line, &key);

    if (!value)
        return true; /* a key without its value: as if it were missing */
    if (strcmp(key, "ins_uid") == 0) {
        if (uid_number(value, &r->id))
            return true;
    } else if (strcmp(key, "mem_addr") == 0) {
        if (address(r, value))
            return true;
    } else if (gtpin_put(&r->inst, key, value) != GTPIN_PUT_BAD) {
        return true;
    }
    (void)igpu_fail(err, IGPU_BAD_INPUT,
                    "%s: line %" PRIu64 ": bad value of %.40s: "
                    "%.60s",
                    r->path, r->number, key, value);
    return false;
}

static enum gtpin_event read_instruction(struct gtpin_reader *r, struct igpu_err *err)
{
    bool failed;

    memset(&r->inst, 0, sizeof(r->inst));
    r->id = GTPIN_NO_ID;
    r->addrs = 0;
    r->inst_line = r->number;
    while (read_line(r, err, &failed)) {
        if (r->line[0] == '*' || strncmp(r->line, "KERNEL:", 7) == 0) {
            r->pending = true;
            break;
        }
        if (!instruction_line(r, err))
            return GTPIN_ERROR;
    }
    if (failed)
        return GTPIN_ERROR;
    if (r->id == GTPIN_NO_ID && r->inst.have[GTPIN_INS_ID])
        r->id = r->inst.value[GTPIN_INS_ID];
    if (r->id >= GTPIN_MAX_INST || r->id < GTPIN_NO_ID)
        return bad_line(r, "an instruction number out of range ends before", "", err);
    return GTPIN_INST;
}

/* What stands before the first kernel and between kernels: counts, not needed but one.
 */
static bool header_line(struct gtpin_reader *r, struct igpu_err *err)
{
    static const char key[] = "Program Num Ins:";
    const char *value = r->line + sizeof(key) - 1;
    char *end;

    if (strncmp(r->line, key, sizeof(key) - 1) != 0)
        return true;
    r->declared = strtoull(value, &end, 10);
    if (end != value && *end == '\0')
        return true;
    (void)bad_line(r, "bad number of instructions", value, err);
    return false;
}

enum gtpin_event gtpin_next(struct gtpin_reader *r, struct igpu_err *err)
{
    bool failed;

    while (read_line(r, err, &failed)) {
        if (r->line[0] == '*' && strstr(r->line, "INSTRUCTION")) {
            if (r->kernel[0] == '\0')
                return bad_line(r, "an instruction before any KERNEL line", "", err);
            return read_instruction(r, err);
        }
        if (strncmp(r->line, "KERNEL:", 7) == 0) {
            const char *name = r->line + 7;

            while (isspace((unsigned char)*name))
                name++;
            if (*name == '\0' || strlen(name) >= sizeof(r->kernel))
                return bad_line(r, "a KERNEL line without a usable name", name, err);
            strcpy(r->kernel, name);
            return GTPIN_KERNEL;
        }
        if (!header_line(r, err))
            return GTPIN_ERROR;
    }
    return failed ? GTPIN_ERROR : GTPIN_END;
}
