// d3d11_stencil.cpp - Direct3D 11: a cube, its mirror image where a floor wrote the
// stencil buffer, and the floor blended over it.
#include "d3d11.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; float4 colour; };
struct V { float4 p : SV_Position; float3 n : NORMAL; };
V vs(float3 p : POSITION, float3 n : NORMAL)
{
    V o;
    o.p = mul(float4(p, 1), all);
    o.n = n;
    return o;
}
float4 ps(V i) : SV_Target
{
    return float4(colour.rgb * (0.6 + 0.4 * dot(i.n, float3(0.3, 0.7, -0.5))), colour.a);
}
)";
static ID3D11DepthStencilState *marks, *marked, *plain;
static ID3D11BlendState *blends, *writes_none;

static ID3D11DepthStencilState *tested(BOOL depth_test, BOOL stencil_test,
                                       D3D11_COMPARISON_FUNC passes,
                                       D3D11_STENCIL_OP then)
{
    D3D11_DEPTH_STENCILOP_DESC face = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP,
                                       then, passes};
    D3D11_DEPTH_STENCIL_DESC kind = {depth_test,
                                     D3D11_DEPTH_WRITE_MASK_ALL,
                                     D3D11_COMPARISON_LESS,
                                     stencil_test,
                                     0xff,
                                     0xff,
                                     face,
                                     face};
    ID3D11DepthStencilState *made;

    CHECK(device->CreateDepthStencilState(&kind, &made));
    return made;
}

static ID3D11BlendState *blended(BOOL enabled, UINT8 mask)
{
    D3D11_BLEND_DESC kind = {};
    ID3D11BlendState *made;

    kind.RenderTarget[0] = {enabled,
                            D3D11_BLEND_SRC_ALPHA,
                            D3D11_BLEND_INV_SRC_ALPHA,
                            D3D11_BLEND_OP_ADD,
                            D3D11_BLEND_ONE,
                            D3D11_BLEND_ZERO,
                            D3D11_BLEND_OP_ADD,
                            mask};
    CHECK(device->CreateBlendState(&kind, &made));
    return made;
}

static void set_up()
{
    ID3DBlob *code = compile(shaders, "vs", "vs_5_0");

    use_cube(code, 2);
    context->VSSetShader(vertex_shader(code), nullptr, 0);
    context->PSSetShader(pixel_shader(shaders, "ps"), nullptr, 0);
    marks = tested(FALSE, TRUE, D3D11_COMPARISON_ALWAYS, D3D11_STENCIL_OP_REPLACE);
    marked = tested(TRUE, TRUE, D3D11_COMPARISON_EQUAL, D3D11_STENCIL_OP_INCR_SAT);
    plain = tested(TRUE, FALSE, D3D11_COMPARISON_ALWAYS, D3D11_STENCIL_OP_KEEP);
    blends = blended(TRUE, D3D11_COLOR_WRITE_ENABLE_ALL);
    writes_none = blended(FALSE, 0);
}

static void shape(const Matrix &place, const float *colour, UINT first, UINT count)
{
    struct {
        Matrix all;
        float colour[4];
    } now = {place, {colour[0], colour[1], colour[2], colour[3]}};

    set_constants(&now, sizeof(now));
    context->DrawIndexed(count, first, 0);
}

static void draw(int frame)
{
    static const float box[4] = {0.9f, 0.5f, 0.2f, 1},
                       ground[4] = {0.3f, 0.5f, 0.9f, 0.6f};
    static const float any[4] = {};
    const Matrix flat = {{{2, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 2, 0}, {0, -1, 0, 1}}};
    const Matrix mirror = {{{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}, {0, -2, 0, 1}}};
    const Matrix small = {
        {{0.6f, 0, 0, 0}, {0, 0.6f, 0, 0}, {0, 0, 0.6f, 0}, {0, 0, 0, 1}}};
    Matrix seen = turned(0.3f, -0.5f) * moved(0, 0.5f, 5) * perspective();
    Matrix place = small * turned((float)frame * 0.3f, 0.2f);

    begin();
    context->OMSetBlendState(writes_none, any, ~0u);
    context->OMSetDepthStencilState(marks, 1);
    shape(flat * seen, ground, 18, 6);
    context->OMSetBlendState(nullptr, any, ~0u);
    context->OMSetDepthStencilState(marked, 1);
    shape(place * mirror * seen, box, 0, 36);
    context->OMSetBlendState(blends, any, ~0u);
    context->OMSetDepthStencilState(plain, 0);
    shape(flat * seen, ground, 18, 6);
    context->OMSetBlendState(nullptr, any, ~0u);
    shape(place * seen, box, 0, 36);
}
