// d3d9_targets.cpp - Direct3D 9: a cube into two targets of half floats, whose bright
// parts a second pass blurs and adds; shaders of model 3.
#include "d3d9.hpp"

static const char shaders[] = R"(
float4x4 all : register(c0);
sampler2D T : register(s0);
sampler2D U : register(s1);
struct V { float4 p : POSITION; float2 t : TEXCOORD0; float3 n : TEXCOORD1; };
struct W { float4 colour : COLOR0; float4 bright : COLOR1; };
V vs(float3 p : POSITION, float3 n : NORMAL, float2 t : TEXCOORD0)
{
    V o;
    o.p = mul(float4(p, 1), all);
    o.t = t;
    o.n = n;
    return o;
}
W ps(V i)
{
    W o;
    o.colour = tex2D(T, i.t) * (0.7 + 0.6 * dot(i.n, float3(0.3, 0.7, -0.5)));
    o.bright = max(o.colour - 0.7, 0);
    return o;
}
V screen(float3 p : POSITION, float2 t : TEXCOORD0)
{
    V o;
    o.p = float4(p.xy, 0, 1);
    o.t = t;
    o.n = 0;
    return o;
}
float4 blur(V i) : COLOR0
{
    float4 sum = 0;
    for (int k = -4; k <= 4; k++)
        sum += tex2D(U, i.t + float2(k / 160.0, k / 240.0)) + tex2D(U, i.t + float2(k / 160.0, -k / 240.0));
    return tex2D(T, i.t) + sum / 9;
}
)";
static IDirect3DTexture9 *shown, *bright, *squares_texture;
static IDirect3DVertexShader9 *shape, *screen;
static IDirect3DPixelShader9 *surface, *blur;
static IDirect3DSurface9 *window_target, *targets[2];

static void set_up()
{
    take_cube();
    squares_texture = picture();
    for (IDirect3DTexture9 **made : {&shown, &bright})
        CHECK(device->CreateTexture(WIDTH, HEIGHT, 1, D3DUSAGE_RENDERTARGET,
                                    D3DFMT_A16B16G16R16F, D3DPOOL_DEFAULT, made,
                                    nullptr));
    CHECK(shown->GetSurfaceLevel(0, &targets[0]));
    CHECK(bright->GetSurfaceLevel(0, &targets[1]));
    CHECK(device->GetRenderTarget(0, &window_target));
    shape = vertex_shader(shaders, "vs");
    screen = vertex_shader(shaders, "screen");
    surface = pixel_shader(shaders, "ps");
    blur = pixel_shader(shaders, "blur");
    CHECK(device->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE));
    for (DWORD i = 0; i < 2; i++) {
        CHECK(device->SetSamplerState(i, D3DSAMP_MINFILTER, D3DTEXF_LINEAR));
        CHECK(device->SetSamplerState(i, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR));
    }
}

static void draw(int frame)
{
    static const float rectangle[4][8] = {{-1, 1, 0, 0, 0, 0, 0, 0},
                                          {1, 1, 0, 0, 0, 0, 1, 0},
                                          {-1, -1, 0, 0, 0, 0, 0, 1},
                                          {1, -1, 0, 0, 0, 0, 1, 1}};
    Matrix all =
        turned((float)frame * 0.2f + 0.4f, -0.5f) * moved(0, 0, 4) * perspective();
    Matrix turned_over = {};

    for (int i = 0; i < 4; i++) // registers hold columns
        for (int j = 0; j < 4; j++)
            turned_over.m[i][j] = all.m[j][i];
    CHECK(device->SetRenderTarget(0, targets[0]));
    CHECK(device->SetRenderTarget(1, targets[1]));
    CHECK(device->Clear(0, nullptr, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0, 1, 0));
    CHECK(device->SetRenderState(D3DRS_ZENABLE, TRUE));
    CHECK(device->SetTexture(0, squares_texture));
    CHECK(device->SetTexture(1, nullptr));
    CHECK(device->SetVertexShader(shape));
    CHECK(device->SetPixelShader(surface));
    CHECK(device->SetVertexShaderConstantF(0, turned_over.m[0], 4));
    take_cube();
    CHECK(device->DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 24, 0, 12));
    CHECK(device->SetRenderTarget(0, window_target));
    CHECK(device->SetRenderTarget(1, nullptr));
    CHECK(device->SetRenderState(D3DRS_ZENABLE, FALSE));
    CHECK(device->SetTexture(0, shown));
    CHECK(device->SetTexture(1, bright));
    CHECK(device->SetVertexShader(screen));
    CHECK(device->SetPixelShader(blur));
    CHECK(device->DrawPrimitiveUP(D3DPT_TRIANGLESTRIP, 2, rectangle, 32));
}
