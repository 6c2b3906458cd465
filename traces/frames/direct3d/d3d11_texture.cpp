// d3d11_texture.cpp - Direct3D 11: a turning cube, its texture's mip levels made by the
// device, filtered with 8 steps of anisotropy.
#include "d3d11.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; };
Texture2D T : register(t0);
SamplerState S : register(s0);
struct V { float4 p : SV_Position; float2 t : TEXCOORD0; float3 n : NORMAL; };
V vs(float3 p : POSITION, float3 n : NORMAL, float2 t : TEXCOORD0)
{
    V o;
    o.p = mul(float4(p, 1), all);
    o.t = t * 3;
    o.n = n;
    return o;
}
float4 ps(V i) : SV_Target { return T.Sample(S, i.t) * (0.6 + 0.4 * dot(i.n, float3(0.2, 0.8, -0.4))); }
)";

static void set_up()
{
    static unsigned texels[64 * 64];
    ID3DBlob *code = compile(shaders, "vs", "vs_5_0");
    ID3D11Texture2D *picture =
        texture(64, 64, DXGI_FORMAT_R8G8B8A8_UNORM,
                D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET, 0);
    ID3D11ShaderResourceView *seen = view(picture);
    ID3D11SamplerState *filter = sampler(D3D11_FILTER_MIN_MAG_MIP_LINEAR);

    squares(texels, 64);
    context->UpdateSubresource(picture, 0, nullptr, texels, 256, 0);
    context->GenerateMips(seen);
    use_cube(code, 3);
    context->VSSetShader(vertex_shader(code), nullptr, 0);
    context->PSSetShader(pixel_shader(shaders, "ps"), nullptr, 0);
    context->PSSetShaderResources(0, 1, &seen);
    context->PSSetSamplers(0, 1, &filter);
}

static void draw(int frame)
{
    Matrix all =
        turned((float)frame * 0.2f + 0.5f, -0.5f) * moved(0, 0, 4) * perspective();

    begin();
    set_constants(&all, sizeof(all));
    context->DrawIndexed(36, 0, 0);
}
