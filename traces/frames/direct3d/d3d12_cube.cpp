// d3d12_cube.cpp - Direct3D 12: three cubes by root constants, with depth.
#include "d3d12.hpp"

static const char shaders[] = R"(
cbuffer C : register(b0) { row_major float4x4 all; };
struct V { float4 p : SV_Position; float3 c : COLOR0; };
V vs(float3 p : POSITION, float3 n : NORMAL, float2 t : TEXCOORD0)
{
    V o;
    o.p = mul(float4(p * 0.7, 1), all);
    o.c = float3(t, 0.5) * (0.6 + 0.4 * dot(n, float3(0.3, 0.8, -0.5)));
    return o;
}
float4 ps(V i) : SV_Target { return float4(i.c, 1); }
)";
static const D3D12_INPUT_ELEMENT_DESC elements[] = {
    {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0,
     D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
    {"NORMAL", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 12,
     D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0},
    {"TEXCOORD", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 24,
     D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0}};
static ID3D12RootSignature *root;
static ID3D12PipelineState *state;
static D3D12_VERTEX_BUFFER_VIEW vertices;
static D3D12_INDEX_BUFFER_VIEW order;

static void set_up()
{
    D3D12_ROOT_PARAMETER parameter = {};
    D3D12_GRAPHICS_PIPELINE_STATE_DESC kind;
    Corner corners[24];
    unsigned short indices[36];

    parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
    parameter.Constants = {0, 0, 16};
    root = signature({1, &parameter, 0, nullptr,
                      D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT});
    kind = usual(root);
    kind.VS = code(compile(shaders, "vs", "vs_5_0"));
    kind.PS = code(compile(shaders, "ps", "ps_5_0"));
    kind.InputLayout = {elements, 3};
    state = pipeline(kind);
    cube(corners, indices);
    vertices = {filled(corners, sizeof(corners))->GetGPUVirtualAddress(),
                sizeof(corners), sizeof(Corner)};
    order = {filled(indices, sizeof(indices))->GetGPUVirtualAddress(), sizeof(indices),
             DXGI_FORMAT_R16_UINT};
}

static void draw(int frame)
{
    list->SetPipelineState(state);
    list->SetGraphicsRootSignature(root);
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    list->IASetVertexBuffers(0, 1, &vertices);
    list->IASetIndexBuffer(&order);
    for (int i = 0; i < 3; i++) {
        Matrix all = turned((float)frame * 0.2f + (float)i, -0.5f) *
                     moved((float)(i - 1) * 1.2f, 0, 4 + (float)i * 0.5f) *
                     perspective();

        list->SetGraphicsRoot32BitConstants(0, 16, &all, 0);
        list->DrawIndexedInstanced(36, 1, 0, 0, 0);
    }
}
