/* test_loader.c - zebins: what is read from real ones, relocation, and that nothing in
 * a damaged one crashes, hangs or asks for absurd memory (run it under ASan too). */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "traces/program/loader.h"
#include "zebin_image.h"

static struct image compiled, small; /* set up once */

static struct loader_program *open_image(const struct image *image)
{
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};

    if (loader_open_memory("kernels.bin", image->bytes, image->size, &program, &err))
        fail_msg("%s", err.text);
    return program;
}

static const struct loader_kernel *need(const struct loader_program *p,
                                        const char *name)
{
    const struct loader_kernel *kernel = loader_find(p, name);

    assert_non_null(kernel);
    return kernel;
}

static const struct loader_arg *find_arg(const struct loader_kernel *k,
                                         enum loader_arg_type type, int32_t index)
{
    for (uint32_t i = 0; i < k->args; i++)
        if (k->arg[i].type == type && k->arg[i].arg_index == index)
            return &k->arg[i];
    return NULL;
}

static void kernels_have_what_ze_info_says(void **state)
{
    struct loader_program *p = open_image(&compiled);
    const struct loader_kernel *k = need(p, "histogram");

    (void)state;
    assert_int_equal(p->kernels, 17);
    assert_null(loader_find(p, "Intel_Symbol_Table_Void_Program"));
    assert_string_equal(p->build_options, "-cl-std=CL2.0");
    assert_int_equal(k->simd_size, 32);
    assert_int_equal(k->grf_count, 128);
    assert_int_equal(k->slm_size, 1024);
    assert_int_equal(k->barrier_count, 1);
    assert_int_equal(k->per_thread_args, 1);
    assert_int_equal(k->per_thread_arg[0].type, LOADER_ARG_LOCAL_ID);
    assert_int_equal(k->per_thread_arg[0].size, 192);
    assert_int_equal(loader_cross_thread_bytes(k), 96);
    assert_int_equal(loader_bti_of(k, 0), 0);
    assert_int_equal(loader_bti_of(k, 1), 1);
    assert_int_equal(loader_bti_of(k, 7), -1);
    assert_string_equal(k->arg_info[0].name, "h");
    assert_string_equal(k->arg_info[1].type_name, "uchar*;8");
    assert_true(k->has_global_atomics);
    assert_int_equal(k->walk_order[0], 0);
    assert_int_equal(k->walk_order[2], 2);
    assert_int_equal(need(p, "chase")->per_thread_args, 0);
    assert_int_equal(need(p, "width8")->simd_size, 8);
    assert_int_equal(need(p, "width16")->simd_size, 16);
    assert_int_equal(need(p, "width8")->required_sub_group_size, 8);
    k = need(p, "required");
    assert_int_equal(k->required_work_group_size[0], 8);
    assert_int_equal(k->required_work_group_size[1], 4);
    assert_int_equal(k->required_work_group_size[2], 2);
    loader_free(p);
}

static void arguments_have_their_modes(void **state)
{
    struct loader_program *p = open_image(&compiled);
    const struct loader_kernel *k = need(p, "reduce");
    const struct loader_arg *a = find_arg(k, LOADER_ARG_BYPOINTER, 1);

    (void)state;
    assert_non_null(a);
    assert_int_equal(a->addrmode, LOADER_MODE_SLM);
    assert_int_equal(a->addrspace, LOADER_SPACE_LOCAL);
    assert_int_equal(a->slm_alignment, 4);
    a = find_arg(k, LOADER_ARG_BYPOINTER, 0);
    assert_int_equal(a->addrmode, LOADER_MODE_STATEFUL);
    assert_int_equal(a->addrspace, LOADER_SPACE_GLOBAL);
    assert_int_equal(a->access, LOADER_ACCESS_READWRITE);
    assert_int_equal(a->size, 0);
    assert_non_null(find_arg(k, LOADER_ARG_LOCAL_SIZE, -1));
    k = need(p, "double_divide");
    a = find_arg(k, LOADER_ARG_BYVALUE, 1);
    assert_int_equal(a->size, 8);
    k = need(p, "image");
    a = find_arg(k, LOADER_ARG_BYPOINTER, 0);
    assert_int_equal(a->addrspace, LOADER_SPACE_IMAGE);
    assert_string_equal(a->image_type, "image_2d");
    assert_int_equal(a->access, LOADER_ACCESS_READONLY);
    assert_int_equal(k->samplers, 1);
    assert_true(k->sampler[0].normalized);
    assert_string_equal(k->sampler[0].addrmode, "repeat");
    assert_non_null(find_arg(k, LOADER_ARG_IMAGE_WIDTH, 0));
    k = need(p, "private_array");
    assert_int_equal(k->buffers, 1);
    assert_int_equal(k->buffer[0].type, LOADER_BUFFER_SCRATCH);
    assert_true(k->buffer[0].size >= 16 * 64 * 4);
    assert_non_null(find_arg(need(p, "print"), LOADER_ARG_PRINTF_BUFFER, -1));
    for (uint32_t i = 0; i < p->kernels; i++)
        for (uint32_t j = 0; j < p->kernel[i].args; j++)
            assert_int_not_equal(p->kernel[i].arg[j].type, LOADER_ARG_UNKNOWN);
    loader_free(p);
}

static struct loader_data *data_of(struct loader_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->datas; i++)
        if (strcmp(p->data[i].name, name) == 0)
            return &p->data[i];
    fail_msg("no section %s", name);
    return NULL;
}

static uint64_t read64(const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static void relocation_writes_addresses(void **state)
{
    struct loader_program *p = open_image(&compiled);
    struct igpu_err err = {.text = ""};
    uint32_t texts = 0, datas = 0;
    uint64_t counter;

    (void)state;
    data_of(p, ".data.const")->address = 0x123456780000;
    data_of(p, ".data.const.string")->address = 0x200000000000;
    data_of(p, ".data.global")->address = 0x300000000040;
    memcpy(&counter, "\x07\0\0\0\0\0\0\0", 8); /* an addend in the data */
    memcpy(data_of(p, ".data.global")->data + 8, &counter, 8);
    assert_int_equal(loader_relocate(p, &err), IGPU_OK);
    for (uint32_t i = 0; i < p->relocs; i++) {
        const struct loader_reloc *r = &p->reloc[i];
        const struct loader_symbol *s = &p->symbol[r->symbol];
        uint64_t address = p->data[s->data].address + s->value;

        assert_int_equal(r->type, LOADER_RELOC_64);
        if (r->kernel >= 0)
            assert_true(read64(p->kernel[r->kernel].text + r->offset) == address);
        else
            assert_true(read64(p->data[r->data].data + r->offset) == address + 7);
        texts += r->kernel >= 0;
        datas += r->data >= 0;
    }
    assert_int_equal(texts, 4);
    assert_int_equal(datas, 1);
    assert_string_equal((char *)data_of(p, ".data.const.string")->data + 12, "abc");
    assert_int_equal(loader_relocate(p, &err), IGPU_USAGE);
    loader_free(p);
}

static void halves_of_an_address_are_patched_alone(void **state)
{
    struct loader_program *p = open_image(&compiled);
    uint64_t before;
    uint8_t *at;

    (void)state;
    for (uint32_t i = 0; i < p->datas; i++)
        p->data[i].address = 0x123456789A00;
    p->reloc[0].type = LOADER_RELOC_LOW32;
    p->reloc[1].type = LOADER_RELOC_HIGH32;
    for (uint32_t i = 0; i < 2; i++)
        if (p->reloc[i].kernel < 0) { /* same rule for each: take two in text */
            p->reloc[i] = p->reloc[p->relocs - 1 - i];
            p->reloc[i].type = i == 0 ? LOADER_RELOC_LOW32 : LOADER_RELOC_HIGH32;
        }
    p->relocs = 2;
    at = p->kernel[p->reloc[1].kernel].text + p->reloc[1].offset;
    before = read64(at);
    assert_int_equal(loader_relocate(p, NULL), IGPU_OK);
    assert_true(read64(at) == ((before & 0xFFFFFFFF00000000) | 0x1234));
    at = p->kernel[p->reloc[0].kernel].text + p->reloc[0].offset;
    assert_true((read64(at) & 0xFFFFFF00) == 0x56789A00);
    loader_free(p);
}

static void what_cannot_be_relocated_is_named(void **state)
{
    struct loader_program *p = open_image(&compiled);
    struct igpu_err err = {.text = ""};
    uint8_t *text = p->kernel[0].text, *copy = malloc(p->kernel[0].text_bytes);

    (void)state;
    assert_non_null(copy);
    memcpy(copy, text, p->kernel[0].text_bytes);
    p->reloc[p->relocs - 1].type = 4;
    assert_int_equal(loader_relocate(p, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "type 4"));
    p->reloc[p->relocs - 1].type = LOADER_RELOC_64;
    p->symbol[p->reloc[p->relocs - 1].symbol].data = -1;
    p->symbol[p->reloc[p->relocs - 1].symbol].is_undefined = true;
    assert_int_equal(loader_relocate(p, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, p->symbol[p->reloc[p->relocs - 1].symbol].name));
    assert_memory_equal(copy, text, p->kernel[0].text_bytes);
    assert_false(p->relocated);
    free(copy);
    loader_free(p);
}

static void refuse(const void *bytes, size_t size, const char *why)
{
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};

    assert_int_equal(loader_open_memory("bad.bin", bytes, size, &program, &err),
                     IGPU_BAD_INPUT);
    assert_null(program);
    assert_non_null(strstr(err.text, "bad.bin"));
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, why);
}

static void files_of_other_kinds_are_named(void **state)
{
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};
    struct image other = image_with_info("kernels: []", 11);
    const uint8_t type = other.bytes[17];

    (void)state;
    refuse("", 0, "empty");
    refuse("hello\n", 6, "not a zebin");
    refuse("\x03\x02\x23\x07....", 8, "SPIR-V");
    refuse("CTNI....", 8, "cut off");
    refuse("!<arch>\n", 8, "archive");
    other.bytes[18] = 62; /* x86-64 */
    refuse(other.bytes, other.size, "not for Intel GPUs (machine 205)");
    other.bytes[17] = 0xFF; /* as ocloc writes without --format zebin: type 0xFF04, */
    other.bytes[16] = 4;
    other.bytes[18] = 0; /* no machine */
    refuse(other.bytes, other.size, "holds no device binary");
    other.bytes[17] = type;
    other.bytes[16] = 1;
    other.bytes[18] = 205;
    other.bytes[4] = 1; /* 32 bits */
    refuse(other.bytes, other.size, "32-bit ELF");
    other.bytes[4] = 2;
    other.bytes[5] = 2; /* big-endian */
    refuse(other.bytes, other.size, "damaged or foreign ELF");
    other.bytes[5] = 1;
    refuse(other.bytes, 40, "damaged or foreign ELF");
    refuse(other.bytes, other.size, "kernels");
    image_free(&other);
    assert_int_equal(loader_open_file("/no/such.bin", &program, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "/no/such.bin"));
    assert_int_equal(loader_open_file("/tmp", &program, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "directory"));
}

/* Opens or refuses; a refusal is one line that names the file. */
static bool survives(const uint8_t *bytes, size_t size)
{
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};
    uint8_t *exact = malloc(size == 0 ? 1 : size); /* so that ASan sees its end */
    enum igpu_status status;

    assert_non_null(exact);
    memcpy(exact, bytes, size);
    status = loader_open_memory("damaged.bin", exact, size, &program, &err);
    free(exact);
    if (status != IGPU_OK) {
        assert_int_equal(status, IGPU_BAD_INPUT);
        assert_null(program);
        assert_non_null(strstr(err.text, "damaged.bin"));
        assert_null(strchr(err.text, '\n'));
        return false;
    }
    (void)loader_relocate(program, &err);
    loader_free(program);
    return true;
}

static void every_truncation_is_refused(void **state)
{
    uint64_t seed = 77;

    (void)state;
    for (size_t n = 0; n < 256; n++)
        assert_false(survives(compiled.bytes, n));
    for (uint32_t i = 0; i < 500; i++)
        assert_false(
            survives(compiled.bytes, image_random(&seed) % (uint32_t)compiled.size));
    for (size_t n = 1; n < 64; n++)
        assert_false(survives(compiled.bytes, compiled.size - n - 1000));
}

static void flipped_bits_never_crash(void **state)
{
    uint32_t rounds = getenv("IGPU_LONG") != NULL ? 50000 : 4000, passed = 0;
    uint8_t *copy = malloc(small.size);
    uint64_t seed = 4711;

    (void)state;
    assert_non_null(copy);
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t at = image_random(&seed) % (uint32_t)small.size;

        memcpy(copy, small.bytes, small.size);
        copy[at] = (uint8_t)(copy[at] ^ 1u << (image_random(&seed) % 8));
        passed += survives(copy, small.size);
    }
    print_message("%u of %u flipped images open\n", passed, rounds);
    assert_true(passed > 0 && passed < rounds);
    free(copy);
}

/* Each field of each section header and of the file header, at values that break
 * careless sums. */
static void absurd_header_fields_never_crash(void **state)
{
    static const uint64_t absurd[] = {
        0, 1, 7, 0x7FFFFFFF, UINT32_MAX, UINT64_MAX, UINT64_MAX - 63};
    uint8_t *copy = malloc(small.size);
    Elf64_Ehdr header;

    (void)state;
    assert_true(survives(small.bytes, small.size));
    assert_non_null(copy);
    memcpy(&header, small.bytes, sizeof(header));
    for (size_t v = 0; v < sizeof(absurd) / sizeof(absurd[0]); v++) {
        for (size_t at = 0; at + 8 <= sizeof(header); at += 2) {
            memcpy(copy, small.bytes, small.size);
            memcpy(copy + at, &absurd[v], 8);
            (void)survives(copy, small.size);
        }
        for (size_t at = header.e_shoff; at + 8 <= small.size; at += 4) {
            memcpy(copy, small.bytes, small.size);
            memcpy(copy + at, &absurd[v], 8);
            (void)survives(copy, small.size);
        }
    }
    free(copy);
}

static void wrong_values_in_ze_info_name_kernel_and_key(void **state)
{
    static const struct {
        const char *from, *to, *why;
    } rows[] = {
        {"simd_size:       32", "simd_size:       33", "simd_size"},
        {"simd_size:       32", "simd_size:       24", "8, 16 or 32"},
        {"simd_size:       32", "simd_size:       xx", "must be a number"},
        {"grf_count:       128", "grf_count:       064", "grf_count"},
        {"offset:          32", "offset:          -2", "offset"},
        {"bti_value:       0", "bti_value:       [", "ze_info line"},
        {"payload_arguments:", "payload_arguments;", "ze_info line"},
        {"arg_type:        local_id", "arg_typ_:        local_id",
         "arg_type is missing"},
        {"execution_env:", "execution_en_:", "execution_env is missing"},
        {"has_global_atomics: true", "has_global_atomics: trux", "true or false"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct image copy = {malloc(compiled.size), compiled.size};

        assert_non_null(copy.bytes);
        memcpy(copy.bytes, compiled.bytes, compiled.size);
        image_replace(&copy, rows[i].from, rows[i].to);
        refuse(copy.bytes, copy.size, rows[i].why);
        image_free(&copy);
    }
}

#define ENV "execution_env: {simd_size: 8}"

static void refuse_info(const char *info, const char *why)
{
    struct image image = image_with_info(info, strlen(info));

    refuse(image.bytes, image.size, why);
    image_free(&image);
}

static void hand_made_ze_info_is_checked(void **state)
{
    static const char good[] = "kernels: [{name: k, " ENV "}]\n";
    struct image image = image_with_info(good, sizeof(good) - 1);

    (void)state;
    assert_true(survives(image.bytes, image.size));
    image_free(&image);
    refuse_info("kernels: [{name: other, " ENV "}]\n", ".text.other");
    refuse_info("kernels: [{name: k, " ENV "}, {name: k, " ENV "}]\n", "two kernels");
    refuse_info("kernels: [{name: \"a\\nb\", " ENV "}]\n", "name");
    refuse_info("kernels: [1, 2]\n", "not a mapping");
    refuse_info("kernels: {name: k}\n", "must be a list");
    refuse_info("- kernels\n", "no mapping");
    refuse_info("", "no mapping");
    refuse_info("kernels: [{name: k, " ENV ", payload_arguments: [{arg_type: "
                "arg_byvalue, offset: 65000, size: 65000}]}]\n",
                "beyond any payload");
    refuse_info("kernels: [{name: k, execution_env: {simd_size: 8, "
                "work_group_walk_order_dimensions: [0, 0, 1]}}]\n",
                "0, 1 and 2 once each");
}

/* An alias that names its own parent, deep nesting, and one list of which thousands of
 * kernels claim a copy. */
static void yaml_tricks_do_not_work(void **state)
{
    enum { DEEP = 100000, LIST = 4000, KERNELS = 4000 };
    char *text = malloc(DEEP + LIST * 8 + KERNELS * 64 + 256), *p = text;
    struct image image;

    (void)state;
    assert_non_null(text);
    refuse_info("kernels: &a [{name: k, " ENV ", payload_arguments: *a}]\n",
                "arg_type");
    memset(text, '[', DEEP);
    image = image_with_info(text, DEEP);
    refuse(image.bytes, image.size, "nested");
    image_free(&image);
    for (int i = 0; i < DEEP / 4; i++)
        memcpy(text + 4 * i, "- &a", 4);
    image = image_with_info(text, DEEP);
    refuse(image.bytes, image.size, "anchored");
    image_free(&image);
    p += sprintf(p, "b: &b {arg_type: local_id}\nx: &a [");
    for (int i = 0; i < LIST; i++)
        p += sprintf(p, "*b,");
    p += sprintf(p, "]\nkernels:\n");
    for (int i = 0; i < KERNELS; i++)
        p += sprintf(p, "- {name: k, " ENV ", payload_arguments: *a}\n");
    image = image_with_info(text, (size_t)(p - text));
    refuse(image.bytes, image.size, "too many");
    image_free(&image);
    free(text);
}

static int compile_once(void **state)
{
    (void)state;
    compiled = image_compile();
    small = image_compile_small();
    return 0;
}

static int forget(void **state)
{
    (void)state;
    image_free(&compiled);
    image_free(&small);
    return 0;
}

/* The product's note: its number follows the name "IntelGT". */
static void code_for_another_gpu_is_refused(void **state)
{
    static const char gen9[] = "IntelGT\0\x12\0\0\0", gen12[] = "IntelGT\0\x1d\0\0\0";
    struct image image = image_compile_small();
    struct loader_program *p;
    struct igpu_err err = {.text = ""};
    uint8_t *at = NULL;

    (void)state;
    for (size_t i = 0; at == NULL && i + 12 <= image.size; i++)
        if (memcmp(image.bytes + i, gen9, 12) == 0)
            at = image.bytes + i;
    assert_non_null(at);
    memcpy(at, gen12, 12);
    assert_int_equal(loader_open_memory("k.bin", image.bytes, image.size, &p, &err),
                     IGPU_BAD_INPUT);
    assert_string_equal(err.text, "k.bin: was compiled for product 29, Tiger Lake "
                                  "(Gen12); compile it for skl or kbl");
    memcpy(at, gen9, 12);
    at[-8] = 0xFF; /* bytes of the note */
    assert_int_equal(loader_open_memory("k.bin", image.bytes, image.size, &p, &err),
                     IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "beyond its end"));
    image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_what_ze_info_says),
        cmocka_unit_test(arguments_have_their_modes),
        cmocka_unit_test(relocation_writes_addresses),
        cmocka_unit_test(halves_of_an_address_are_patched_alone),
        cmocka_unit_test(what_cannot_be_relocated_is_named),
        cmocka_unit_test(files_of_other_kinds_are_named),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(flipped_bits_never_crash),
        cmocka_unit_test(absurd_header_fields_never_crash),
        cmocka_unit_test(wrong_values_in_ze_info_name_kernel_and_key),
        cmocka_unit_test(hand_made_ze_info_is_checked),
        cmocka_unit_test(yaml_tricks_do_not_work),
        cmocka_unit_test(code_for_another_gpu_is_refused),
    };

    return cmocka_run_group_tests(tests, compile_once, forget);
}
