/* patches.c - scenes of tessellation for tests/bridge/test_gfx.sh. Each picture is read
 * back into FOLDER.
 *   patches FOLDER [SCENE] */
#include "scene.h"

/* Hull and domain shader between those of vertices and pixels; patches of `corners`. */
static void use_patches(const char *hull, const char *domain, int corners)
{
    GLuint program = glCreateProgram();

    glAttachShader(program, shader(GL_VERTEX_SHADER,
                                   "in vec4 place; in vec3 colour; out vec3 d;\n"
                                   "void main() { gl_Position = place; d = colour; }"));
    if (hull != NULL)
        glAttachShader(program, shader(GL_TESS_CONTROL_SHADER, hull));
    glAttachShader(program, shader(GL_TESS_EVALUATION_SHADER, domain));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, plain_pixel));
    glBindAttribLocation(program, 0, "place");
    glBindAttribLocation(program, 1, "colour");
    glLinkProgram(program);
    glUseProgram(program);
    set_matrix(program, 4);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glPatchParameteri(GL_PATCH_VERTICES, corners);
    glDrawArrays(GL_PATCHES, 0, CORNERS);
}

static const char hull3[] =
    "layout(vertices = 3) out; in vec3 d[]; out vec3 e[];\n"
    "void main() { gl_out[gl_InvocationID].gl_Position =\n"
    "gl_in[gl_InvocationID].gl_Position; e[gl_InvocationID] = d[gl_InvocationID];\n"
    "gl_TessLevelOuter[0] = 3.0; gl_TessLevelOuter[1] = 4.3;\n"
    "gl_TessLevelOuter[2] = float(gl_PrimitiveID % 5 + 1); gl_TessLevelInner[0] = 5.6; "
    "}";

/* The cube blown up to a ball. */
#define BALL(layout)                                                                   \
    "layout(" layout ") in;\n"                                                         \
    "in vec3 e[]; uniform mat4 m; out vec3 c;\n"                                       \
    "void main() { vec3 w = gl_TessCoord;\n"                                           \
    "vec3 p = w.x * gl_in[0].gl_Position.xyz + w.y * gl_in[1].gl_Position.xyz\n"       \
    "+ w.z * gl_in[2].gl_Position.xyz;\n"                                              \
    "gl_Position = m * vec4(mix(p, normalize(p) * 1.5, 0.4), 1);\n"                    \
    "c = w.x * e[0] + w.y * e[1] + w.z * e[2]; gl_PointSize = 3.0; }"

static void triangles(void)
{
    use_patches(hull3, BALL("triangles, equal_spacing, ccw"), 3);
}

/* One side of each is culled. */
static void odd(void)
{
    glEnable(GL_CULL_FACE);
    use_patches(hull3, BALL("triangles, fractional_odd_spacing, cw"), 3);
    glDisable(GL_CULL_FACE);
}

static void even(void)
{
    glEnable(GL_CULL_FACE);
    use_patches(hull3, BALL("triangles, fractional_even_spacing, ccw"), 3);
    glDisable(GL_CULL_FACE);
}

static void points(void)
{
    use_patches(hull3, BALL("triangles, equal_spacing, point_mode"), 3);
}

/* Nothing but a domain shader: the state's factors are 1. */
static void plain(void)
{
    use_patches(NULL,
                "layout(triangles, equal_spacing, ccw) in; in vec3 d[];\n"
                "uniform mat4 m; out vec3 c; void main() { vec3 w = gl_TessCoord;\n"
                "gl_Position = m * (w.x * gl_in[0].gl_Position + w.y *\n"
                "gl_in[1].gl_Position + w.z * gl_in[2].gl_Position);\n"
                "c = w.x * d[0] + w.y * d[1] + w.z * d[2]; }",
                3);
}

/* Twelve corners become some, by two threads that read each other's. */
#define SURFACE(vertices)                                                              \
    "layout(vertices = " vertices ") out; in vec3 d[]; out vec3 e[];\n"                \
    "patch out float bend;\n"                                                          \
    "void main() { int i = gl_InvocationID, k = i % 12;\n"                             \
    "e[gl_InvocationID] = d[k];\n"                                                     \
    "gl_out[gl_InvocationID].gl_Position = gl_in[k].gl_Position; barrier();\n"         \
    "if (i == 0) { bend = e[9].y + 0.2; gl_TessLevelOuter[0] = 3.0;\n"                 \
    "gl_TessLevelOuter[1] = 5.0; gl_TessLevelOuter[2] = 2.5;\n"                        \
    "gl_TessLevelOuter[3] = 7.0; gl_TessLevelInner[0] = 4.0;\n"                        \
    "gl_TessLevelInner[1] = 6.2; } }"
#define SHEET(layout)                                                                  \
    "layout(" layout ") in; in vec3 e[]; patch in float bend;\n"                       \
    "uniform mat4 m; out vec3 c; void main() { vec2 t = gl_TessCoord.xy;\n"            \
    "vec4 a = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x);\n"                 \
    "vec4 b = mix(gl_in[5].gl_Position, gl_in[2].gl_Position, t.x);\n"                 \
    "vec4 p = mix(a, b, t.y); p.xyz *= 1.0 + bend * t.x * (1.0 - t.y);\n"              \
    "gl_Position = m * p; c = vec3(t, 0.3) + e[7] * 0.2; }"

static void quads(void)
{
    use_patches(SURFACE("10"), SHEET("quads, fractional_odd_spacing, ccw"), 12);
}

static void even_quads(void)
{
    use_patches(SURFACE("12"), SHEET("quads, fractional_even_spacing, cw"), 12);
}

static void isolines(void)
{
    use_patches(SURFACE("12"), SHEET("isolines, equal_spacing"), 12);
}

static const struct scene scenes[] = {
    {"patches", triangles},
    {"patches_odd", odd},
    {"patches_even", even},
    {"patches_points", points},
    {"patches_plain", plain},
    {"patches_quads", quads},
    {"patches_even_quads", even_quads},
    {"patches_lines", isolines},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
