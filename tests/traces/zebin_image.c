/* zebin_image.c - see zebin_image.h. */
#include "zebin_image.h"
#include "tests/support/rng.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "traces/program/compile.h"

void image_free(struct image *image)
{
    free(image->bytes);
    *image = (struct image){0};
}

static struct image compile(struct compile_request *request)
{
    const char *cache = getenv("IGPU_TMP");
    struct compile_result result;
    struct igpu_err err = {.text = ""};
    struct image image;

    request->device = "skl";
    request->options = "-cl-std=CL2.0";
    request->cache_dir = cache != NULL ? cache : "";
    if (compile_opencl(request, &result, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    image = (struct image){result.image, result.bytes};
    result.image = NULL;
    compile_free(&result);
    return image;
}

struct image image_compile(void)
{
    struct compile_request request = {.source_path = "tests/csim/isa_kernels.cl"};

    return compile(&request);
}

struct image image_compile_tokens(void)
{
    struct compile_request request = {.source_path = "tests/csim/isa_kernels.cl",
                                      .to = COMPILE_TOKENS};

    return compile(&request);
}

struct image image_compile_small_tokens(void)
{
    static const char source[] =
        "__constant int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
        "__global int counter = 5;\n"
        "__global const int *pointer = &counter;\n"
        "__kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
        "void look(__global int *o, __local int *l, long x, uchar3 v) {\n"
        "  l[get_local_id(0)] = v.z;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  o[get_global_id(0)] = table[o[0] & 7] + *pointer + x + l[0]; }\n"
        "__kernel __attribute__((intel_reqd_sub_group_size(8)))\n"
        "void draw(read_only image2d_t i, sampler_t s, __global float4 *o) {\n"
        "  const sampler_t t = CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR |\n"
        "                      CLK_NORMALIZED_COORDS_TRUE;\n"
        "  o[0] = read_imagef(i, s, (int2)(1, 2)) +\n"
        "         read_imagef(i, t, (float2)(1, 2)) + get_image_width(i); }\n"
        "__kernel void say(__global int *o) {\n"
        "  printf(\"%d %s\\n\", o[0], \"words\"); }\n";
    struct compile_request request = {
        .source = source, .source_bytes = sizeof(source) - 1, .to = COMPILE_TOKENS};

    return compile(&request);
}

struct image image_compile_small(void)
{
    static const char source[] =
        "__constant int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
        "__global int counter = 5;\n"
        "__global const int *pointer = &counter;\n"
        "__kernel void look(__global int *o) {\n"
        "  o[get_global_id(0)] = table[o[0] & 7] + *pointer; }\n"
        "__kernel void say(__global int *o) { printf(\"%d\\n\", o[0]); }\n";
    struct compile_request request = {.source = source,
                                      .source_bytes = sizeof(source) - 1};

    return compile(&request);
}

struct image image_with_info(const char *info, size_t info_bytes)
{
    static const char names[] = "\0.text.k\0.ze_info\0.shstrtab";
    enum { TEXT = 64, SECTIONS = 4 };
    size_t text_at = sizeof(Elf64_Ehdr), info_at = text_at + TEXT;
    size_t names_at = info_at + info_bytes;
    size_t table_at = (names_at + sizeof(names) + 7) / 8 * 8;
    struct image image = {NULL, table_at + SECTIONS * sizeof(Elf64_Shdr)};
    Elf64_Ehdr header = {.e_type = ET_REL,
                         .e_machine = 205,
                         .e_version = EV_CURRENT,
                         .e_shoff = table_at,
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = 3};
    Elf64_Shdr table[SECTIONS] = {
        {0},
        {.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = text_at, .sh_size = TEXT},
        {.sh_name = 9, .sh_type = 0xFF000011, .sh_offset = info_at},
        {.sh_name = 18, .sh_type = SHT_STRTAB, .sh_offset = names_at},
    };

    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    table[2].sh_size = info_bytes;
    table[3].sh_size = sizeof(names);
    image.bytes = calloc(1, image.size);
    assert_non_null(image.bytes);
    memcpy(image.bytes, &header, sizeof(header));
    memset(image.bytes + text_at, 1, TEXT);
    memcpy(image.bytes + info_at, info, info_bytes);
    memcpy(image.bytes + names_at, names, sizeof(names));
    memcpy(image.bytes + table_at, table, sizeof(table));
    return image;
}

void image_replace(struct image *image, const char *from, const char *to)
{
    size_t length = strlen(from);

    assert_int_equal(strlen(to), length);
    for (size_t i = 0; i + length <= image->size; i++)
        if (memcmp(image->bytes + i, from, length) == 0) {
            memcpy(image->bytes + i, to, length);
            return;
        }
    fail_msg("the image does not contain '%s'", from);
}

uint32_t image_random(uint64_t *seed)
{
    return (uint32_t)(xorshift_next(seed) >> 32);
}
