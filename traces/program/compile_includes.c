/* compile_includes.c - see compile_includes.h. */
#define _GNU_SOURCE /* memmem */
#include "compile_includes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FILES = 512, /* looked for in one compilation */
    MAX_FOLDERS = 64,
    MAX_BYTES = 16 << 20, /* of one file */
    PATH_BYTES = 4096
};

struct search {
    struct cache_hash *hash;
    char *folder[MAX_FOLDERS];
    unsigned folders;
    char *file[MAX_FILES]; /* looked for already, there or not */
    unsigned files;
};

/* Behind the next "#", blanks and `word`, or NULL. */
static const char *next_directive(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);

    while (p < end && (p = memchr(p, '#', (size_t)(end - p))) != NULL) {
        p++;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if ((size_t)(end - p) >= n && memcmp(p, word, n) == 0)
            return p + n;
    }
    return NULL;
}

bool compile_includes_any(const char *text, size_t bytes)
{
    return next_directive(text, text + bytes, "includ") != NULL ||
           next_directive(text, text + bytes, "import") != NULL;
}

/* ---- folders --------------------------------------------------------------------- */

static bool add_folder(struct search *s, const char *path, size_t length)
{
    if (s->folders == MAX_FOLDERS)
        return false;
    s->folder[s->folders] = strndup(path, length);
    return s->folder[s->folders++] != NULL;
}

/* The folders of -I in build options. False: options that include in another way. */
static bool add_option_folders(struct search *s, const char *options)
{
    const char *p = options;

    while (*(p += strspn(p, " \t")) != '\0') {
        bool folder = strncmp(p, "-I", 2) == 0;
        size_t n;

        if (strncmp(p, "-i", 2) == 0)
            return false;
        if (folder) {
            p += 2;
            p += strspn(p, " \t");
        }
        n = *p == '"' ? strcspn(p + 1, "\"") : strcspn(p, " \t");
        if (folder && (n == 0 || !add_folder(s, p + (*p == '"'), n)))
            return false;
        p += *p == '"' ? n + 1 : n;
        p += *p == '"';
    }
    return true;
}

/* ---- files ----------------------------------------------------------------------- */

static bool scan(struct search *s, const char *text, size_t bytes, const char *folder);

static bool is_known(const struct search *s, const char *path)
{
    for (unsigned i = 0; i < s->files; i++)
        if (strcmp(s->file[i], path) == 0)
            return true;
    return false;
}

/* The file `name` of a folder: its bytes, and what it includes. */
static bool look_at(struct search *s, const char *folder, const char *name,
                    size_t length)
{
    char path[PATH_BYTES];
    const char *slash;
    uint8_t *text;
    size_t bytes = 0;
    bool good;
    int n = name[0] == '/'
                ? snprintf(path, sizeof(path), "%.*s", (int)length, name)
                : snprintf(path, sizeof(path), "%s/%.*s", folder, (int)length, name);

    if (n < 0 || (size_t)n >= sizeof(path) || s->files == MAX_FILES)
        return false;
    if (is_known(s, path))
        return true;
    s->file[s->files] = strdup(path);
    if (s->file[s->files++] == NULL)
        return false;
    text = read_whole_file(path, MAX_BYTES, &bytes);
    cache_hash_field(s->hash, path, (size_t)n);
    cache_hash_field(s->hash, text, bytes);
    if (text == NULL) {
        cache_hash_field(s->hash, "none", 4);
        return true;
    }
    slash = strrchr(path, '/'); /* there is one: the folder's */
    path[slash - path] = '\0';
    good = scan(s, (const char *)text, bytes, path);
    free(text);
    return good;
}

static bool look_everywhere(struct search *s, const char *name, size_t length,
                            const char *folder)
{
    bool good = look_at(s, folder, name, length);

    for (unsigned i = 0; good && i < s->folders; i++)
        good = look_at(s, s->folder[i], name, length);
    return good;
}

static bool scan(struct search *s, const char *text, size_t bytes, const char *folder)
{
    const char *p = text, *end = text + bytes;

    if (next_directive(text, end, "import") != NULL ||
        memmem(text, bytes, "__has_include", 13) != NULL)
        return false;
    while ((p = next_directive(p, end, "includ")) != NULL) {
        const char *name;
        char close;

        if (p == end || *p++ != 'e')
            return false;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if (p == end || (*p != '"' && *p != '<')) /* a macro, include_next */
            return false;
        close = *p == '"' ? '"' : '>';
        name = ++p;
        while (p < end && *p != close && *p != '\n')
            p++;
        if (p == name || p == end || *p != close ||
            !look_everywhere(s, name, (size_t)(p - name), folder))
            return false;
    }
    return true;
}

bool compile_includes_hash(struct cache_hash *hash,
                           const struct compile_request *request, const char *text,
                           size_t bytes, const char *folder)
{
    struct search *s = calloc(1, sizeof(*s));
    bool good = s != NULL;

    if (good) {
        s->hash = hash;
        good =
            add_option_folders(s, request->options == NULL ? "" : request->options) &&
            scan(s, text, bytes, folder);
    }
    for (uint32_t i = 0; good && i < request->headers; i++) {
        const struct compile_header *h = &request->header[i];

        cache_hash_field(hash, h->name, strlen(h->name));
        cache_hash_field(hash, h->text, h->bytes);
        good = scan(s, h->text, h->bytes, folder);
    }
    for (unsigned i = 0; s != NULL && i < s->files; i++)
        free(s->file[i]);
    for (unsigned i = 0; s != NULL && i < s->folders; i++)
        free(s->folder[i]);
    free(s);
    return good;
}
