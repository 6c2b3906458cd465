// d3d11_samples.cpp - Direct3D 11: a turning cube's edges with four samples a pixel,
// resolved to the window.
#include "d3d11.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; };
struct V { float4 p : SV_Position; float3 n : NORMAL; };
V vs(float3 p : POSITION, float3 n : NORMAL)
{
    V o;
    o.p = mul(float4(p, 1), all);
    o.n = n;
    return o;
}
float4 ps(V i) : SV_Target { return float4(0.5 + 0.5 * i.n, 1); }
)";
static ID3D11Texture2D *sampled;
static ID3D11RenderTargetView *samples;
static ID3D11DepthStencilView *sampled_depth;

static void set_up()
{
    ID3DBlob *code = compile(shaders, "vs", "vs_5_0");

    sampled = texture(WIDTH, HEIGHT, DXGI_FORMAT_R8G8B8A8_UNORM,
                      D3D11_BIND_RENDER_TARGET, 1, 4);
    samples = target(sampled);
    CHECK(device->CreateDepthStencilView(
        texture(WIDTH, HEIGHT, DXGI_FORMAT_D32_FLOAT, D3D11_BIND_DEPTH_STENCIL, 1, 4),
        nullptr, &sampled_depth));
    use_cube(code, 2);
    context->VSSetShader(vertex_shader(code), nullptr, 0);
    context->PSSetShader(pixel_shader(shaders, "ps"), nullptr, 0);
}

static void draw(int frame)
{
    static const float colour[4] = {0.3f, 0.2f, 0.1f, 1};
    Matrix all =
        turned((float)frame * 0.2f + 0.5f, -0.5f) * moved(0, 0, 4) * perspective();
    ID3D11Resource *shown;

    set_constants(&all, sizeof(all));
    context->ClearRenderTargetView(samples, colour);
    context->ClearDepthStencilView(sampled_depth, D3D11_CLEAR_DEPTH, 1, 0);
    context->OMSetRenderTargets(1, &samples, sampled_depth);
    context->DrawIndexed(36, 0, 0);
    back->GetResource(&shown);
    context->ResolveSubresource(shown, 0, sampled, 0, DXGI_FORMAT_R8G8B8A8_UNORM);
    shown->Release();
}
