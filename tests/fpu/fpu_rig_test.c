/* fpu_rig_test.c - see fpu_rig_test.h. */
#include "fpu_rig_test.h"

struct fpu_rig *fpu_test_rig;

bool fpu_test_long(void)
{
    return getenv("IGPU_LONG") != NULL;
}

uint32_t fpu_test_half(void)
{
    const char *commit = getenv("IGPU_COMMIT");
    char digit[2] = "";

    (void)snprintf(digit, sizeof(digit), "%s", commit != NULL ? commit : "");
    return (uint32_t)strtoul(digit, NULL, 16) % 2;
}

void fpu_test_mode(struct fpu_op *op, uint32_t mode)
{
    op->rnd = mode & 3;
    op->ftz = mode & 4 ? 7 : 0;
    op->int_round = true;
}

void fpu_test_case(struct fpu_case *c)
{
    fpu_oracle(c);
    fpu_rig_add(fpu_test_rig, c);
}

void fpu_test_finish(const char *what)
{
    uint64_t cases, differences = fpu_rig_finish(fpu_test_rig, &cases);

    printf("# %s: %llu cases\n", what, (unsigned long long)cases);
    assert_true(cases > 0);
    assert_int_equal(differences, 0);
}

int fpu_test_setup(void **state)
{
    (void)state;
    fpu_test_rig = fpu_rig_new();
    return 0;
}

int fpu_test_teardown(void **state)
{
    (void)state;
    fpu_rig_free(fpu_test_rig);
    fpu_oracle_free();
    return 0;
}
