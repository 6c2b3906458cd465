// d3d9.hpp - what the Direct3D 9 programs of the library of frames share: the device,
// and a loop. A program has set_up() and draw(frame), which is within a scene.
#ifndef D3D9_HPP
#define D3D9_HPP
#include <d3d9.h>

#include "window.hpp"

static IDirect3DDevice9 *device;

static void set_up();
static void draw(int frame);

static inline IDirect3DVertexShader9 *vertex_shader(const char *source,
                                                    const char *entry)
{
    IDirect3DVertexShader9 *made;

    CHECK(device->CreateVertexShader(
        (const DWORD *)compile(source, entry, "vs_3_0")->GetBufferPointer(), &made));
    return made;
}

static inline IDirect3DPixelShader9 *pixel_shader(const char *source, const char *entry)
{
    IDirect3DPixelShader9 *made;

    CHECK(device->CreatePixelShader(
        (const DWORD *)compile(source, entry, "ps_3_0")->GetBufferPointer(), &made));
    return made;
}

// The cube as vertex and index buffer of the device.
static inline void take_cube()
{
    Corner corners[24];
    unsigned short indices[36];
    IDirect3DVertexBuffer9 *vertices;
    IDirect3DIndexBuffer9 *order;
    void *to;

    cube(corners, indices);
    CHECK(device->CreateVertexBuffer(sizeof(corners), 0, 0, D3DPOOL_MANAGED, &vertices,
                                     nullptr));
    CHECK(vertices->Lock(0, 0, &to, 0));
    memcpy(to, corners, sizeof(corners));
    CHECK(vertices->Unlock());
    CHECK(device->CreateIndexBuffer(sizeof(indices), 0, D3DFMT_INDEX16, D3DPOOL_MANAGED,
                                    &order, nullptr));
    CHECK(order->Lock(0, 0, &to, 0));
    memcpy(to, indices, sizeof(indices));
    CHECK(order->Unlock());
    CHECK(device->SetStreamSource(0, vertices, 0, sizeof(Corner)));
    CHECK(device->SetIndices(order));
    CHECK(device->SetFVF(D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX1));
}

static inline IDirect3DTexture9 *picture()
{
    static unsigned texels[64 * 64];
    IDirect3DTexture9 *made;
    D3DLOCKED_RECT to;

    squares(texels, 64);
    CHECK(device->CreateTexture(64, 64, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8,
                                D3DPOOL_MANAGED, &made, nullptr));
    CHECK(made->LockRect(0, &to, nullptr, 0));
    for (int y = 0; y < 64; y++)
        memcpy((char *)to.pBits + y * to.Pitch, texels + y * 64, 256);
    CHECK(made->UnlockRect(0));
    return made;
}

int main(int argc, char **argv)
{
    IDirect3D9 *api = Direct3DCreate9(D3D_SDK_VERSION);
    D3DPRESENT_PARAMETERS kind = {};

    kind.BackBufferWidth = WIDTH;
    kind.BackBufferHeight = HEIGHT;
    kind.BackBufferFormat = D3DFMT_X8R8G8B8;
    kind.SwapEffect = D3DSWAPEFFECT_DISCARD;
    kind.Windowed = TRUE;
    kind.EnableAutoDepthStencil = TRUE;
    kind.AutoDepthStencilFormat = D3DFMT_D24S8;
    kind.PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
    kind.hDeviceWindow = window(argv[0]);
    CHECK(api->CreateDevice(0, D3DDEVTYPE_HAL, kind.hDeviceWindow,
                            D3DCREATE_HARDWARE_VERTEXPROCESSING, &kind, &device));
    set_up();
    for (int frame = 0; frame < frames(argc, argv); frame++) {
        messages();
        CHECK(device->BeginScene());
        draw(frame);
        CHECK(device->EndScene());
        CHECK(device->Present(nullptr, nullptr, nullptr, nullptr));
    }
    return 0;
}
#endif
