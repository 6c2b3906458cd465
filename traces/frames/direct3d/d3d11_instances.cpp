// d3d11_instances.cpp - Direct3D 11: 64 cubes by one draw of instances, whose places a
// compute shader makes in a structured buffer, through shared memory and a barrier.
#include "d3d11.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; float4 time; };
StructuredBuffer<float4> places : register(t0);
RWStructuredBuffer<float4> made : register(u0);
groupshared float4 shared_places[64];
struct V { float4 p : SV_Position; float3 c : COLOR0; };
[numthreads(64, 1, 1)] void cs(uint3 id : SV_DispatchThreadID, uint l : SV_GroupIndex)
{
    float a = id.x * 0.4 + time.x, r = 1 + id.x * 0.03;
    shared_places[l] = float4(cos(a) * r, id.x * 0.06 - 1.9, sin(a) * r, frac(id.x * 0.17));
    GroupMemoryBarrierWithGroupSync();
    made[id.x] = shared_places[l ^ 1];
}
V vs(float3 p : POSITION, float3 n : NORMAL, uint i : SV_InstanceID)
{
    V o;
    float4 q = places[i];
    o.p = mul(float4(p * 0.16 + q.xyz, 1), all);
    o.c = (0.4 + 0.3 * n) * (0.5 + q.w);
    return o;
}
float4 ps(V i) : SV_Target { return float4(i.c, 1); }
)";
static ID3D11UnorderedAccessView *made;
static ID3D11ShaderResourceView *places;

static void set_up()
{
    ID3DBlob *code = compile(shaders, "vs", "vs_5_0"),
             *work = compile(shaders, "cs", "cs_5_0");
    ID3D11ComputeShader *compute;
    ID3D11Buffer *both = buffer(
        nullptr, 64 * 16, D3D11_BIND_UNORDERED_ACCESS | D3D11_BIND_SHADER_RESOURCE, 16);

    CHECK(device->CreateUnorderedAccessView(both, nullptr, &made));
    places = view(both);
    CHECK(device->CreateComputeShader(work->GetBufferPointer(), work->GetBufferSize(),
                                      nullptr, &compute));
    use_cube(code, 2);
    context->VSSetShader(vertex_shader(code), nullptr, 0);
    context->PSSetShader(pixel_shader(shaders, "ps"), nullptr, 0);
    context->CSSetShader(compute, nullptr, 0);
}

static void draw(int frame)
{
    struct {
        Matrix all;
        float time[4];
    } now = {turned((float)frame * 0.1f, -0.4f) * moved(0, 0, 6) * perspective(),
             {(float)frame * 0.15f, 0, 0, 0}};
    ID3D11ShaderResourceView *no_view = nullptr;
    ID3D11UnorderedAccessView *no_access = nullptr;

    begin();
    set_constants(&now, sizeof(now));
    context->VSSetShaderResources(0, 1, &no_view);
    context->CSSetUnorderedAccessViews(0, 1, &made, nullptr);
    context->Dispatch(1, 1, 1);
    context->CSSetUnorderedAccessViews(0, 1, &no_access, nullptr);
    context->VSSetShaderResources(0, 1, &places);
    context->DrawIndexedInstanced(36, 64, 0, 0, 0);
}
