// d3d11_targets.cpp - Direct3D 11: a cube into three targets of different formats
// (colour, normal, place), lit by a second pass that loads them.
#include "d3d11.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; row_major float4x4 world; float4 light; };
Texture2D<float4> colours : register(t0), normals : register(t1), places : register(t2);
struct V { float4 p : SV_Position; float2 t : TEXCOORD0; float3 n : NORMAL; float3 w : PLACE; };
struct T { float4 colour : SV_Target0; float4 normal : SV_Target1; float4 place : SV_Target2; };
V vs(float3 p : POSITION, float3 n : NORMAL, float2 t : TEXCOORD0)
{
    V o;
    o.p = mul(float4(p, 1), all);
    o.t = t;
    o.n = mul(n, (float3x3)world);
    o.w = mul(float4(p, 1), world).xyz;
    return o;
}
T ps(V i)
{
    T o;
    o.colour = float4(i.t, 0.6, 1);
    o.normal = float4(normalize(i.n), 0);
    o.place = float4(i.w, 1);
    return o;
}
float4 all_vs(uint i : SV_VertexID) : SV_Position
{
    return float4(i == 1 ? 3 : -1, i == 2 ? -3 : 1, 0.5, 1);
}
float4 light_ps(float4 p : SV_Position) : SV_Target
{
    int3 at = int3(p.xy, 0);
    float3 to = light.xyz - places.Load(at).xyz;
    float amount = saturate(dot(normalize(to), normals.Load(at).xyz)) * 6 / (1 + dot(to, to));
    return float4(colours.Load(at).rgb * (0.15 + amount), 1);
}
)";
static const DXGI_FORMAT formats[3] = {DXGI_FORMAT_R8G8B8A8_UNORM,
                                       DXGI_FORMAT_R16G16B16A16_FLOAT,
                                       DXGI_FORMAT_R32G32B32A32_FLOAT};
static ID3D11RenderTargetView *targets[3];
static ID3D11ShaderResourceView *views[3];
static ID3D11VertexShader *shapes, *screen;
static ID3D11PixelShader *surfaces, *light;

static void set_up()
{
    ID3DBlob *code = compile(shaders, "vs", "vs_5_0");

    for (int i = 0; i < 3; i++) {
        ID3D11Texture2D *made =
            texture(WIDTH, HEIGHT, formats[i],
                    D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET);
        targets[i] = target(made);
        views[i] = view(made);
    }
    use_cube(code, 3);
    shapes = vertex_shader(code);
    screen = vertex_shader(compile(shaders, "all_vs", "vs_5_0"));
    surfaces = pixel_shader(shaders, "ps");
    light = pixel_shader(shaders, "light_ps");
}

static void draw(int frame)
{
    static const float nothing[4] = {};
    static ID3D11ShaderResourceView *const none[3] = {};
    struct {
        Matrix all, world;
        float light[4];
    } now = {{}, turned((float)frame * 0.25f + 0.6f, -0.5f), {1.5f, 2, -2.5f, 0}};

    now.all = now.world * moved(0, 0, 4) * perspective();
    begin();
    set_constants(&now, sizeof(now));
    context->PSSetShaderResources(0, 3, none);
    for (int i = 0; i < 3; i++)
        context->ClearRenderTargetView(targets[i], nothing);
    context->OMSetRenderTargets(3, targets, depth);
    context->VSSetShader(shapes, nullptr, 0);
    context->PSSetShader(surfaces, nullptr, 0);
    context->DrawIndexed(36, 0, 0);
    context->OMSetRenderTargets(1, &back, nullptr);
    context->PSSetShaderResources(0, 3, views);
    context->VSSetShader(screen, nullptr, 0);
    context->PSSetShader(light, nullptr, 0);
    context->Draw(3, 0);
}
