/* node_settings.h - what `igpu gl` and `igpu run --driver neo` tell the render node in
 * the program that they start: IGPU_GL_* of its environment. The one list of them.
 * Tests: tests/bridge/test_gl.sh, tests/ocl/test_ocl_neo.sh */
#ifndef NODE_SETTINGS_H
#define NODE_SETTINGS_H
#include <stdlib.h>

#define NODE_SETTINGS(X)                                                               \
    X(OUT)        /* the capture's file, absolute */                                   \
    X(STATUS)     /* where the node says how it ended */                               \
    X(COMMAND)    /* the program and its arguments, for the capture */                 \
    X(DEVICE)     /* skl, kbl-gt3e */                                                  \
    X(DRIVER)     /* neo, or Mesa's */                                                 \
    X(FIRST)      /* frames, from 1: the first that is captured, */                    \
    X(LAST)       /* ... and the last */                                               \
    X(NO_EXECUTE) /* batches are captured, not executed */                             \
    X(TIME)  /* batches take simulated time (IGPU_CONFIG, IGPU_SET: the machine) */    \
    X(TIMES) /* ... which is listed in this file, absolute */

enum node_setting {
#define NODE_SETTING(name) NODE_##name,
    NODE_SETTINGS(NODE_SETTING)
#undef NODE_SETTING
        NODE_SETTINGS_N
};

static inline const char *node_name(enum node_setting setting)
{
    static const char *const names[] = {
#define NODE_SETTING(name) "IGPU_GL_" #name,
        NODE_SETTINGS(NODE_SETTING)
#undef NODE_SETTING
    };

    return names[setting];
}

/* NULL: not set. */
static inline const char *node_get(enum node_setting setting)
{
    return getenv(node_name(setting));
}

/* As setenv(). */
static inline int node_set(enum node_setting setting, const char *value)
{
    return setenv(node_name(setting), value, 1);
}

#endif
