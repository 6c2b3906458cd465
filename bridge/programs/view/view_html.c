/* view_html.c - the page: bridge/programs/view/page.html with the JSON in it; see
 * view.h. */
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/view/view.h"
#include "igpu/output.h"

/* The page as it lies in the tree; make knows that this file is made from it. */
__asm__(".section .rodata\n"
        "view_page:\n"
        ".incbin \"bridge/programs/view/page.html\"\n"
        ".byte 0\n"
        ".text\n");
extern const char view_page[];

/* Within a script element no "<" may stand: a name might end it. */
static void put_json(FILE *out, const char *json, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (json[i] == '<')
            fputs("\\u003c", out);
        else
            fputc(json[i], out);
}

struct page {
    char *json;
    size_t size;
};

static void write_page(FILE *out, void *ctx)
{
    static const char mark[] = "@DATA@";
    const struct page *page = ctx;
    const char *at = strstr(view_page, mark);

    (void)fwrite(view_page, 1, (size_t)(at - view_page), out);
    put_json(out, page->json, page->size);
    fputs(at + strlen(mark), out);
}

enum igpu_status view_html(const char *path, const struct view *v, struct igpu_err *err)
{
    struct page page = {NULL, 0};
    FILE *memory = open_memstream(&page.json, &page.size);
    enum igpu_status status = IGPU_OK;

    if (memory != NULL)
        view_json(memory, v);
    if (memory == NULL || fclose(memory) != 0)
        status = igpu_no_memory(err, "%s", path);
    else
        status = igpu_output_put(path, write_page, &page, err);
    free(page.json);
    return status;
}
