// d3d11_tessellation.cpp - Direct3D 11: a patch of four points, cut by fractional
// factors that grow, moved up and down by its domain shader.
#include "d3d11.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; float4 time; };
struct P { float3 p : POSITION; };
struct F { float edge[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
struct V { float4 p : SV_Position; float3 c : COLOR0; };
P vs(float3 p : POSITION) { P o; o.p = p; return o; }
F factors(InputPatch<P, 4> patch)
{
    F f;
    f.edge[0] = f.edge[2] = 4 + time.x;
    f.edge[1] = f.edge[3] = 6.5;
    f.inside[0] = f.inside[1] = 5 + time.x;
    return f;
}
[domain("quad")] [partitioning("fractional_odd")] [outputtopology("triangle_cw")]
[outputcontrolpoints(4)] [patchconstantfunc("factors")]
P hs(InputPatch<P, 4> patch, uint i : SV_OutputControlPointID) { P o; o.p = patch[i].p; return o; }
[domain("quad")]
V ds(F f, float2 at : SV_DomainLocation, const OutputPatch<P, 4> patch)
{
    V o;
    float3 p = lerp(lerp(patch[0].p, patch[1].p, at.x), lerp(patch[3].p, patch[2].p, at.x), at.y);
    p.y += 0.4 * sin(at.x * 6 + time.x) * cos(at.y * 5);
    o.p = mul(float4(p, 1), all);
    o.c = float3(at, 0.5 + p.y);
    return o;
}
float4 ps(V i) : SV_Target { return float4(i.c, 1); }
)";
static const D3D11_INPUT_ELEMENT_DESC elements[] = {
    {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0}};

static void set_up()
{
    static const float patch[4][3] = {{-2, 0, -2}, {2, 0, -2}, {2, 0, 2}, {-2, 0, 2}};
    UINT stride = 12, zero = 0;
    ID3DBlob *code = compile(shaders, "vs", "vs_5_0"),
             *hull = compile(shaders, "hs", "hs_5_0"),
             *domain = compile(shaders, "ds", "ds_5_0");
    ID3D11Buffer *vertices = buffer(patch, sizeof(patch), D3D11_BIND_VERTEX_BUFFER);
    ID3D11HullShader *cut;
    ID3D11DomainShader *put;

    CHECK(device->CreateHullShader(hull->GetBufferPointer(), hull->GetBufferSize(),
                                   nullptr, &cut));
    CHECK(device->CreateDomainShader(domain->GetBufferPointer(),
                                     domain->GetBufferSize(), nullptr, &put));
    context->IASetVertexBuffers(0, 1, &vertices, &stride, &zero);
    context->IASetInputLayout(layout(elements, 1, code));
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_4_CONTROL_POINT_PATCHLIST);
    context->VSSetShader(vertex_shader(code), nullptr, 0);
    context->HSSetShader(cut, nullptr, 0);
    context->DSSetShader(put, nullptr, 0);
    context->PSSetShader(pixel_shader(shaders, "ps"), nullptr, 0);
}

static void draw(int frame)
{
    struct {
        Matrix all;
        float time[4];
    } now = {turned(0.4f, -0.6f) * moved(0, 0, 5) * perspective(),
             {(float)frame * 0.7f, 0, 0, 0}};

    begin();
    set_constants(&now, sizeof(now));
    context->Draw(4, 0);
}
