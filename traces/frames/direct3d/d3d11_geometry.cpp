// d3d11_geometry.cpp - Direct3D 11: points moved by stream output from one buffer to
// another, each made a square by a geometry shader and added to what is there.
#include "d3d11.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; float4 time; };
struct P { float3 p : POSITION; float3 v : SPEED; };
struct V { float4 p : SV_Position; float2 at : TEXCOORD0; float3 c : COLOR0; };
P vs(P i) { return i; }
[maxvertexcount(1)] void move(point P i[1], inout PointStream<P> made)
{
    P o = i[0];
    o.p += o.v * time.x;
    o.v.y -= 0.5 * time.x;
    if (o.p.y < -1)
        o.v.y = abs(o.v.y);
    made.Append(o);
}
[maxvertexcount(4)] void square(point P i[1], inout TriangleStream<V> made)
{
    float4 p = mul(float4(i[0].p, 1), all);
    for (int k = 0; k < 4; k++) {
        V o;
        o.at = float2(k & 1 ? 1 : -1, k & 2 ? 1 : -1);
        o.p = p + float4(o.at * float2(0.15, 0.2), 0, 0);
        o.c = 0.1 + 0.1 * i[0].v;
        made.Append(o);
    }
}
float4 ps(V i) : SV_Target { return float4(i.c * saturate(1 - dot(i.at, i.at)), 1); }
)";
enum { PARTICLES = 200 };
static const D3D11_INPUT_ELEMENT_DESC elements[] = {
    {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
    {"SPEED", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0}};
static ID3D11Buffer *particles[2];
static ID3D11GeometryShader *moves, *shows;
static ID3D11PixelShader *colours;
static ID3D11DepthStencilState *no_depth;

static void make_particles()
{
    float all[PARTICLES][6];

    for (int i = 0; i < PARTICLES; i++) {
        float a = (float)i * 2.4f, r = sqrtf((float)i / PARTICLES);

        for (int k = 0; k < 6; k++)
            all[i][k] = k < 3 ? 0
                              : (k == 4   ? 0.8f
                                 : k == 3 ? cosf(a) * r
                                          : sinf(a) * r);
    }
    particles[0] =
        buffer(all, sizeof(all), D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_STREAM_OUTPUT);
    particles[1] = buffer(nullptr, sizeof(all),
                          D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_STREAM_OUTPUT);
}

static void set_up()
{
    static const D3D11_SO_DECLARATION_ENTRY kept[] = {{0, "POSITION", 0, 0, 3, 0},
                                                      {0, "SPEED", 0, 0, 3, 0}};
    const UINT stride = 24;
    ID3DBlob *code = compile(shaders, "vs", "vs_5_0"),
             *move = compile(shaders, "move", "gs_5_0"),
             *square = compile(shaders, "square", "gs_5_0");
    D3D11_BLEND_DESC adds = {};
    D3D11_DEPTH_STENCIL_DESC off = {};
    ID3D11BlendState *blend;

    make_particles();
    CHECK(device->CreateGeometryShaderWithStreamOutput(
        move->GetBufferPointer(), move->GetBufferSize(), kept, 2, &stride, 1,
        D3D11_SO_NO_RASTERIZED_STREAM, nullptr, &moves));
    CHECK(device->CreateGeometryShader(square->GetBufferPointer(),
                                       square->GetBufferSize(), nullptr, &shows));
    colours = pixel_shader(shaders, "ps");
    adds.RenderTarget[0] = {TRUE,
                            D3D11_BLEND_ONE,
                            D3D11_BLEND_ONE,
                            D3D11_BLEND_OP_ADD,
                            D3D11_BLEND_ONE,
                            D3D11_BLEND_ONE,
                            D3D11_BLEND_OP_MAX,
                            D3D11_COLOR_WRITE_ENABLE_ALL};
    CHECK(device->CreateBlendState(&adds, &blend));
    CHECK(device->CreateDepthStencilState(&off, &no_depth));
    context->OMSetBlendState(blend, nullptr, ~0u);
    context->IASetInputLayout(layout(elements, 2, code));
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
    context->VSSetShader(vertex_shader(code), nullptr, 0);
}

static void draw(int frame)
{
    static ID3D11Buffer *const none = nullptr;
    const UINT stride = 24, zero = 0;
    struct {
        Matrix all;
        float time[4];
    } now = {turned(0.5f, -0.3f) * moved(0, 0, 3) * perspective(), {0.5f, 0, 0, 0}};
    ID3D11Buffer *from = particles[frame & 1], *to = particles[~frame & 1];

    begin();
    context->OMSetDepthStencilState(no_depth, 0);
    set_constants(&now, sizeof(now));
    context->IASetVertexBuffers(0, 1, &from, &stride, &zero);
    context->GSSetShader(moves, nullptr, 0);
    context->PSSetShader(nullptr, nullptr, 0);
    context->SOSetTargets(1, &to, &zero);
    context->Draw(PARTICLES, 0);
    context->SOSetTargets(1, &none, &zero);
    context->IASetVertexBuffers(0, 1, &to, &stride, &zero);
    context->GSSetShader(shows, nullptr, 0);
    context->PSSetShader(colours, nullptr, 0);
    context->Draw(PARTICLES, 0);
}
