// window.hpp - what the Direct3D programs of the library of frames share: a window,
// Microsoft's compiler, matrices. A program shows FRAMES (its argument) and ends; what
// it draws depends on the frame's number alone.
#ifndef WINDOW_HPP
#define WINDOW_HPP
#include <windows.h>

#include <d3dcompiler.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

enum { WIDTH = 320, HEIGHT = 240 };

#define CHECK(call) check((call), #call, __LINE__)

static inline void check(HRESULT result, const char *what, int line)
{
    if (SUCCEEDED(result))
        return;
    printf("line %d: %s: %08lx\n", line, what, (unsigned long)result);
    fflush(stdout);
    ExitProcess(3);
}

static inline HWND window(const char *name)
{
    WNDCLASSA kind = {};

    kind.lpfnWndProc = DefWindowProcA;
    kind.hInstance = GetModuleHandleA(nullptr);
    kind.lpszClassName = name;
    RegisterClassA(&kind);
    return CreateWindowA(name, name, WS_POPUP | WS_VISIBLE, 0, 0, WIDTH, HEIGHT,
                         nullptr, nullptr, kind.hInstance, nullptr);
}

static inline void messages()
{
    MSG message;

    while (PeekMessageA(&message, nullptr, 0, 0, PM_REMOVE))
        DispatchMessageA(&message);
}

static inline int frames(int argc, char **argv)
{
    return argc > 1 ? atoi(argv[1]) : 6;
}

static inline ID3DBlob *compile(const char *source, const char *entry,
                                const char *profile)
{
    ID3DBlob *code = nullptr, *words = nullptr;
    HRESULT result = D3DCompile(source, strlen(source), entry, nullptr, nullptr, entry,
                                profile, 0, 0, &code, &words);

    if (words != nullptr && FAILED(result))
        printf("%s\n", (const char *)words->GetBufferPointer());
    check(result, entry, __LINE__);
    return code;
}

// Rows times columns; a vector is a row in front, as Direct3D's own functions have it.
struct Matrix {
    float m[4][4];
};

static inline Matrix operator*(const Matrix &a, const Matrix &b)
{
    Matrix c = {};

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static inline Matrix turned(float y, float x)
{
    float c = cosf(y), s = sinf(y), d = cosf(x), t = sinf(x);
    Matrix about_y = {{{c, 0, -s, 0}, {0, 1, 0, 0}, {s, 0, c, 0}, {0, 0, 0, 1}}};
    Matrix about_x = {{{1, 0, 0, 0}, {0, d, t, 0}, {0, -t, d, 0}, {0, 0, 0, 1}}};

    return about_y * about_x;
}

static inline Matrix moved(float x, float y, float z)
{
    return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {x, y, z, 1}}};
}

static inline Matrix perspective()
{
    const float near_z = 0.5f, far_z = 30, scale = 1.6f,
                depth = far_z / (far_z - near_z);

    return {{{scale * HEIGHT / WIDTH, 0, 0, 0},
             {0, scale, 0, 0},
             {0, 0, depth, 1},
             {0, 0, -near_z * depth, 0}}};
}

// A cube of 24 corners: place, normal, texture coordinates.
struct Corner {
    float place[3], normal[3], at[2];
};

static inline void cube(Corner *corners, unsigned short *indices)
{
    static const unsigned short quad[6] = {0, 1, 2, 2, 1, 3};

    for (int face = 0; face < 6; face++) {
        float side = face & 1 ? 1.0f : -1.0f;

        for (int k = 0; k < 4; k++) {
            Corner *c = &corners[face * 4 + k];
            float a = k & 1 ? 1.0f : -1.0f, b = k & 2 ? 1.0f : -1.0f;

            *c = {};
            c->place[face / 2] = c->normal[face / 2] = side;
            c->place[(face / 2 + 1) % 3] = a;
            c->place[(face / 2 + 2) % 3] = b * side;
            c->at[0] = (a + 1) / 2;
            c->at[1] = (b + 1) / 2;
        }
        for (int k = 0; k < 6; k++)
            indices[face * 6 + k] = (unsigned short)(face * 4 + quad[k]);
    }
}

// A picture of SIZE x SIZE texels, red first: squares and a ramp.
static inline void squares(unsigned *texels, unsigned size)
{
    for (unsigned y = 0; y < size; y++)
        for (unsigned x = 0; x < size; x++)
            texels[y * size + x] =
                (x * 8 / size ^ y * 8 / size) & 1
                    ? 0xffffffffu
                    : 0xff400000u | (x * 255 / size) | (y * 255 / size) << 8;
}
#endif
