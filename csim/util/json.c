/* json.c - see json.h. */
#include "igpu/json.h"

/* Bytes of the UTF-8 sequence at `text`, 0 when it is none. */
static int utf8_length(const unsigned char *text)
{
    int n = text[0] < 0x80                      ? 1
            : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
            : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
            : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                : 0;

    for (int i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

void igpu_json_string(const char *text, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int n = utf8_length(c);

        if (n == 0)
            fputs("\\ufffd", out);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)n, out);
        c += n ? n : 1;
    }
    fputc('"', out);
}
