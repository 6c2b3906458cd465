// d3d12_compute.cpp - Direct3D 12: a compute shader draws a fractal into a structured
// buffer, which a cube's sides show; both views are of the root signature.
#include "d3d12.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; float2 seed; };
RWStructuredBuffer<float4> made : register(u0);
StructuredBuffer<float4> seen : register(t0);
struct V { float4 p : SV_Position; float2 t : TEXCOORD0; };
[numthreads(8, 8, 1)] void cs(uint3 id : SV_DispatchThreadID)
{
    float2 z = (float2(id.xy) - 64) / 40;
    int n = 0;
    while (n < 40 && dot(z, z) < 4) {
        z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + seed;
        n++;
    }
    made[id.y * 128 + id.x] = float4(n / 40.0, n / 10.0, 1 - n / 40.0, 1);
}
V vs(uint i : SV_VertexID)
{
    static const float2 corners[6] = {{-1, -1}, {1, -1}, {-1, 1}, {-1, 1}, {1, -1}, {1, 1}};
    V o;
    float2 q = corners[i % 6];
    float side = i / 6 & 1 ? 1 : -1;
    float3 p = i / 12 == 0 ? float3(q, side) : i / 12 == 1 ? float3(side, q) : float3(q.y, side, q.x);
    o.p = mul(float4(p, 1), all);
    o.t = q * 0.5 + 0.5;
    return o;
}
float4 ps(V i) : SV_Target
{
    uint2 at = min(uint2(i.t * 128), 127);
    return seen[at.y * 128 + at.x];
}
)";
enum { SIDE = 128 };
static ID3D12RootSignature *root;
static ID3D12PipelineState *state, *work;
static ID3D12Resource *picture;

static void set_up()
{
    D3D12_ROOT_PARAMETER parameters[3] = {};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC kind;
    D3D12_COMPUTE_PIPELINE_STATE_DESC compute = {};

    parameters[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
    parameters[0].Constants = {0, 0, 18};
    parameters[1].ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV;
    parameters[2].ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV;
    root = signature({3, parameters, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE});
    kind = usual(root);
    kind.VS = code(compile(shaders, "vs", "vs_5_0"));
    kind.PS = code(compile(shaders, "ps", "ps_5_0"));
    state = pipeline(kind);
    compute.pRootSignature = root;
    compute.CS = code(compile(shaders, "cs", "cs_5_0"));
    CHECK(device->CreateComputePipelineState(&compute, __uuidof(ID3D12PipelineState),
                                             (void **)&work));
    picture =
        resource(D3D12_HEAP_TYPE_DEFAULT,
                 linear(SIDE * SIDE * 16, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS),
                 D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
}

static void draw(int frame)
{
    struct {
        Matrix all;
        float seed[2];
    } now = {turned((float)frame * 0.2f + 0.5f, -0.5f) * moved(0, 0, 4) * perspective(),
             {-0.8f + (float)frame * 0.02f, 0.156f}};

    list->SetPipelineState(work);
    list->SetComputeRootSignature(root);
    list->SetComputeRoot32BitConstants(0, 18, &now, 0);
    list->SetComputeRootUnorderedAccessView(1, picture->GetGPUVirtualAddress());
    list->Dispatch(SIDE / 8, SIDE / 8, 1);
    change(picture, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
           D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE);
    list->SetPipelineState(state);
    list->SetGraphicsRootSignature(root);
    list->SetGraphicsRoot32BitConstants(0, 18, &now, 0);
    list->SetGraphicsRootShaderResourceView(2, picture->GetGPUVirtualAddress());
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    list->DrawInstanced(36, 1, 0, 0);
    change(picture, D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE,
           D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
}
