// d3d9_stencil.cpp - Direct3D 9: a cube's shadow counted in the stencil buffer by both
// faces of a volume, then darkened by a blended rectangle; shaders of model 3.
#include "d3d9.hpp"

static const char shaders[] = R"(
float4x4 all : register(c0);
float4 colour : register(c4);
float4 light : register(c4);
struct V { float4 p : POSITION; float3 n : TEXCOORD0; };
V vs(float3 p : POSITION, float3 n : NORMAL)
{
    V o;
    o.p = mul(float4(p, 1), all);
    o.n = n;
    return o;
}
V volume(float3 p : POSITION, float3 n : NORMAL)
{
    V o;
    o.p = mul(float4(p + (dot(n, light.xyz) > 0 ? light.xyz * 3 : light.xyz * 0.01), 1), all);
    o.n = n;
    return o;
}
float4 ps(float3 n : TEXCOORD0) : COLOR0
{
    return float4(colour.rgb * (0.6 + 0.4 * dot(n, float3(-0.3, 0.7, -0.5))), colour.a);
}
)";
static IDirect3DVertexShader9 *shape, *volume;

static void set_up()
{
    take_cube();
    shape = vertex_shader(shaders, "vs");
    volume = vertex_shader(shaders, "volume");
    CHECK(device->SetPixelShader(pixel_shader(shaders, "ps")));
    CHECK(device->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE));
    CHECK(device->SetRenderState(D3DRS_TWOSIDEDSTENCILMODE, TRUE));
    CHECK(device->SetRenderState(D3DRS_STENCILPASS, D3DSTENCILOP_INCR));
    CHECK(device->SetRenderState(D3DRS_CCW_STENCILPASS, D3DSTENCILOP_DECR));
    CHECK(device->SetRenderState(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA));
    CHECK(device->SetRenderState(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA));
}

static void put(const Matrix &place, const float *vertex, const float *pixel,
                UINT first, UINT count)
{
    Matrix turned_over = {};

    for (int i = 0; i < 4; i++) // registers hold columns
        for (int j = 0; j < 4; j++)
            turned_over.m[i][j] = place.m[j][i];
    CHECK(device->SetVertexShaderConstantF(0, turned_over.m[0], 4));
    CHECK(device->SetVertexShaderConstantF(4, vertex, 1));
    CHECK(device->SetPixelShaderConstantF(4, pixel, 1));
    CHECK(device->DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 24, first, count));
}

static void states(BOOL stencil, BOOL depth_write, DWORD writes, BOOL blend)
{
    CHECK(device->SetRenderState(D3DRS_STENCILENABLE, stencil));
    CHECK(device->SetRenderState(D3DRS_ZWRITEENABLE, depth_write));
    CHECK(device->SetRenderState(D3DRS_COLORWRITEENABLE, writes));
    CHECK(device->SetRenderState(D3DRS_ALPHABLENDENABLE, blend));
}

static void draw(int frame)
{
    static const float box[4] = {0.9f, 0.6f, 0.3f, 1},
                       ground[4] = {0.5f, 0.8f, 0.5f, 1};
    static const float dark[4] = {0, 0, 0.1f, 0.6f};
    float a = (float)frame * 0.2f,
          light[4] = {0.5f * cosf(a), -0.8f, 0.5f * sinf(a), 0};
    const Matrix flat = {{{3, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 3, 0}, {0, -1, 0, 1}}};
    const Matrix small = {
        {{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}, {0, 0, 0, 1}}};
    const Matrix screen = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}}};
    Matrix seen = turned(0.3f, -0.6f) * moved(0, 0.3f, 5) * perspective();

    CHECK(device->Clear(0, nullptr,
                        D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL,
                        0xff1a334d, 1, 1));
    CHECK(device->SetVertexShader(shape));
    CHECK(device->SetRenderState(D3DRS_ZFUNC, D3DCMP_LESSEQUAL));
    states(FALSE, TRUE, 15, FALSE);
    put(flat * seen, light, ground, 18, 2);
    put(small * seen, light, box, 0, 12);
    CHECK(device->SetVertexShader(volume));
    CHECK(device->SetRenderState(D3DRS_STENCILFUNC, D3DCMP_ALWAYS));
    CHECK(device->SetRenderState(D3DRS_CCW_STENCILFUNC, D3DCMP_ALWAYS));
    states(TRUE, FALSE, 0, FALSE);
    put(small * seen, light, box, 0, 12);
    CHECK(device->SetVertexShader(shape));
    CHECK(device->SetRenderState(D3DRS_ZFUNC, D3DCMP_ALWAYS));
    CHECK(device->SetRenderState(D3DRS_STENCILREF, 1));
    CHECK(device->SetRenderState(D3DRS_STENCILFUNC, D3DCMP_NOTEQUAL));
    CHECK(device->SetRenderState(D3DRS_CCW_STENCILFUNC, D3DCMP_NOTEQUAL));
    states(TRUE, FALSE, 15, TRUE);
    put(screen, light, dark, 24, 2);
    states(FALSE, TRUE, 15, FALSE);
}
