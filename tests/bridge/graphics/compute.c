/* compute.c - scenes of compute shaders for tests/bridge/test_gfx.sh: what they write
 * is drawn. Each picture is read back into FOLDER. compute FOLDER [SCENE] */
#include "scene.h"

static GLuint compute_program(const char *body)
{
    const char *source[2] = {"#version 320 es\nprecision highp float;\n"
                             "precision highp image2D; precision highp sampler2D;\n",
                             body};
    GLuint program = glCreateProgram();

    glAttachShader(program, compile(GL_COMPUTE_SHADER, 2, source));
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

/* The image that shaders write, unit 0. */
static void make_image(void)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, HEIGHT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
}

static void show_image(void)
{
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s; out vec4 o; void main() {\n"
        "o = texelFetch(s, ivec2(gl_FragCoord.xy), 0); o.r += c.x * 0.1; }",
        4);
    draw();
}

/* Groups of 256, which share a tile and meet at a barrier; not all of it is inside. */
static void tiles(void)
{
    make_image();
    compute_program(
        "layout(local_size_x = 16, local_size_y = 16) in;\n"
        "layout(rgba8, binding = 0) uniform writeonly image2D o;\n"
        "shared vec3 t[16][16]; void main() { ivec2 p = "
        "ivec2(gl_GlobalInvocationID.xy);\n"
        "ivec2 l = ivec2(gl_LocalInvocationID.xy);\n"
        "t[l.y][l.x] = fract(vec3(p, p.x * p.y) * vec3(0.013, 0.021, 0.0007)); "
        "barrier();\n"
        "vec3 sum = vec3(0); for (int i = 0; i < 3; i++)\n"
        "sum += t[l.x][(l.y + i * 5) & 15]; imageStore(o, p, vec4(sum / 3.0, 1.0)); }");
    glDispatchCompute((WIDTH + 15) / 16, (HEIGHT + 15) / 16, 1);
    show_image();
}

/* Sums by halving, into a buffer with atomics, whose number of groups is in memory. */
static void sums(void)
{
    static const GLuint groups[3] = {6, 2, 3};
    static GLuint zero[64];
    GLuint buffer[2];

    glGenBuffers(2, buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer[0]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(zero), zero, GL_DYNAMIC_COPY);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer[1]);
    glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof(groups), groups, GL_STATIC_DRAW);
    compute_program("layout(local_size_x = 64) in; shared uint t[64];\n"
                    "layout(std430, binding = 1) buffer B { uint n[64]; };\n"
                    "void main() { uint i = gl_LocalInvocationIndex; t[i] = i * i;\n"
                    "for (uint k = 32u; k > 0u; k >>= 1) { barrier();\n"
                    "if (i < k) t[i] += t[i + k]; } barrier();\n"
                    "uint g = gl_WorkGroupID.x + gl_NumWorkGroups.x *\n"
                    "(gl_WorkGroupID.y + 2u * gl_WorkGroupID.z);\n"
                    "if (i == 0u) n[g] = t[0]; atomicAdd(n[40u + i % 8u], g + 1u); }");
    glDispatchComputeIndirect(0);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    use(plain_vertex,
        "layout(std430, binding = 1) readonly buffer B { uint n[64]; };\n"
        "in vec3 c; out vec4 o; void main() { int i = int(c.x * 63.9);\n"
        "o = vec4(float(n[i] & 255u) / 255.0, float(n[i] >> 8 & 255u) / 255.0, c.y, 1);"
        "}",
        4);
    draw();
}

/* A group that fills no thread, textures with and without a level. */
static void odd_groups(void)
{
    GLuint program;

    make_image();
    glActiveTexture(GL_TEXTURE1);
    make_texture(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    glActiveTexture(GL_TEXTURE0);
    program = compute_program(
        "layout(local_size_x = 5, local_size_y = 5) in;\n"
        "layout(rgba8, binding = 0) uniform writeonly image2D o; uniform sampler2D s;\n"
        "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "vec2 u = vec2(p) / 90.0; imageStore(o, p, mix(textureLod(s, u, 1.5),\n"
        "texelFetch(s, p & 63, 0), float(gl_LocalInvocationID.x) / 4.0)); }");
    glUniform1i(glGetUniformLocation(program, "s"), 1);
    glDispatchCompute(WIDTH / 5, HEIGHT / 5, 1);
    show_image();
}

/* More values across a barrier than a thread has registers: threads of a group take
 * turns, and what one has put aside is its own. */
static void spilled(void)
{
    GLuint program;

    make_image();
    glActiveTexture(GL_TEXTURE1);
    make_texture(GL_NEAREST, GL_NEAREST);
    glActiveTexture(GL_TEXTURE0);
    program = compute_program(
        "layout(local_size_x = 16, local_size_y = 16) in;\n"
        "layout(rgba8, binding = 0) uniform writeonly image2D o; uniform sampler2D s;\n"
        "shared float t[256];\n"
        "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy); float v[136];\n"
        "uint k = gl_LocalInvocationIndex;\n"
        "for (int i = 0; i < 136; i++)\n"
        "v[i] = texelFetch(s, (p + ivec2(i, i * 3)) & 63, 0).x;\n"
        "t[k] = v[0]; barrier(); float sum = t[255u - k];\n"
        "for (int i = 135; i >= 0; i--) sum = fract(sum * 0.75 + v[i]);\n"
        "imageStore(o, p, vec4(sum, v[7], v[120], 1)); }");
    glUniform1i(glGetUniformLocation(program, "s"), 1);
    glDispatchCompute((WIDTH + 15) / 16, (HEIGHT + 15) / 16, 1);
    show_image();
}

/* Many instructions in all, few of each thread. */
static void long_sums(void)
{
    make_image();
    compute_program(
        "layout(local_size_x = 16, local_size_y = 16) in;\n"
        "layout(rgba8, binding = 0) uniform writeonly image2D o;\n"
        "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "uint n = uint(p.x + p.y * 256); for (int i = 0; i < 1360; i++)\n"
        "n = (n ^ n >> 3) * 1664525u + 1013904223u;\n"
        "imageStore(o, p, vec4(n & 255u, n >> 8 & 255u, n >> 16 & 255u, 255u) / 255.0);"
        "}");
    glDispatchCompute((WIDTH + 15) / 16, (HEIGHT + 15) / 16, 1);
    show_image();
}

static const struct scene scenes[] = {
    {"tiles", tiles},     {"sums", sums},           {"odd_groups", odd_groups},
    {"spilled", spilled}, {"long_sums", long_sums},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
