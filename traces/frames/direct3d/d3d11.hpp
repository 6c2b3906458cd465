// d3d11.hpp - what the Direct3D 11 programs of the library of frames share: device,
// swap chain, depth, and short names for what each makes. A program has set_up() and
// draw(frame).
#ifndef D3D11_HPP
#define D3D11_HPP
#include <d3d11.h>

#include "window.hpp"

static IDXGISwapChain *chain;
static ID3D11Device *device;
static ID3D11DeviceContext *context;
static ID3D11RenderTargetView *back;
static ID3D11DepthStencilView *depth;
static ID3D11Buffer *constants; // 256 bytes, of all stages' slot 0

static void set_up();
static void draw(int frame);

static inline ID3D11Buffer *buffer(const void *data, UINT bytes, UINT bind,
                                   UINT structure = 0)
{
    D3D11_BUFFER_DESC kind = {bytes, D3D11_USAGE_DEFAULT, bind, 0, 0, structure};
    D3D11_SUBRESOURCE_DATA first = {data, 0, 0};
    ID3D11Buffer *made;

    if (structure != 0)
        kind.MiscFlags = D3D11_RESOURCE_MISC_BUFFER_STRUCTURED;
    CHECK(device->CreateBuffer(&kind, data != nullptr ? &first : nullptr, &made));
    return made;
}

static inline ID3D11Texture2D *texture(UINT size_x, UINT size_y, DXGI_FORMAT format,
                                       UINT bind, UINT levels = 1, UINT samples = 1)
{
    D3D11_TEXTURE2D_DESC kind = {
        size_x, size_y, levels, 1, format, {samples, 0}, D3D11_USAGE_DEFAULT,
        bind,   0,      0};
    ID3D11Texture2D *made;

    if (levels != 1)
        kind.MiscFlags = D3D11_RESOURCE_MISC_GENERATE_MIPS;
    CHECK(device->CreateTexture2D(&kind, nullptr, &made));
    return made;
}

static inline ID3D11ShaderResourceView *view(ID3D11Resource *of)
{
    ID3D11ShaderResourceView *made;

    CHECK(device->CreateShaderResourceView(of, nullptr, &made));
    return made;
}

static inline ID3D11RenderTargetView *target(ID3D11Resource *of)
{
    ID3D11RenderTargetView *made;

    CHECK(device->CreateRenderTargetView(of, nullptr, &made));
    return made;
}

static inline ID3D11VertexShader *vertex_shader(ID3DBlob *code)
{
    ID3D11VertexShader *made;

    CHECK(device->CreateVertexShader(code->GetBufferPointer(), code->GetBufferSize(),
                                     nullptr, &made));
    return made;
}

static inline ID3D11PixelShader *pixel_shader(const char *source, const char *entry)
{
    ID3DBlob *code = compile(source, entry, "ps_5_0");
    ID3D11PixelShader *made;

    CHECK(device->CreatePixelShader(code->GetBufferPointer(), code->GetBufferSize(),
                                    nullptr, &made));
    return made;
}

static inline ID3D11InputLayout *layout(const D3D11_INPUT_ELEMENT_DESC *elements,
                                        UINT count, ID3DBlob *code)
{
    ID3D11InputLayout *made;

    CHECK(device->CreateInputLayout(elements, count, code->GetBufferPointer(),
                                    code->GetBufferSize(), &made));
    return made;
}

/* The cube of window.hpp, drawn by DrawIndexed(36, 0, 0), for the vertex shader `code`,
 * which takes the first `parts` of a corner's place, normal and texture's. */
static inline void use_cube(ID3DBlob *code, UINT parts)
{
    static const D3D11_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA,
         0},
        {"NORMAL", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA,
         0},
        {"TEXCOORD", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 24, D3D11_INPUT_PER_VERTEX_DATA,
         0}};
    Corner corners[24];
    unsigned short indices[36];
    UINT stride = sizeof(Corner), zero = 0;
    ID3D11Buffer *vertices;

    cube(corners, indices);
    vertices = buffer(corners, sizeof(corners), D3D11_BIND_VERTEX_BUFFER);
    context->IASetVertexBuffers(0, 1, &vertices, &stride, &zero);
    context->IASetIndexBuffer(buffer(indices, sizeof(indices), D3D11_BIND_INDEX_BUFFER),
                              DXGI_FORMAT_R16_UINT, 0);
    context->IASetInputLayout(layout(elements, parts, code));
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
}

static inline ID3D11SamplerState *sampler(D3D11_FILTER filter)
{
    D3D11_SAMPLER_DESC kind = {};
    ID3D11SamplerState *made;

    kind.Filter = filter;
    kind.AddressU = kind.AddressV = kind.AddressW = D3D11_TEXTURE_ADDRESS_WRAP;
    kind.MaxAnisotropy = 8;
    kind.ComparisonFunc = D3D11_COMPARISON_NEVER;
    kind.MaxLOD = D3D11_FLOAT32_MAX;
    CHECK(device->CreateSamplerState(&kind, &made));
    return made;
}

// Two sides of each triangle are drawn.
static inline ID3D11RasterizerState *rasterizer()
{
    D3D11_RASTERIZER_DESC kind = {};
    ID3D11RasterizerState *made;

    kind.FillMode = D3D11_FILL_SOLID;
    kind.CullMode = D3D11_CULL_NONE;
    kind.DepthClipEnable = TRUE;
    kind.MultisampleEnable = TRUE;
    CHECK(device->CreateRasterizerState(&kind, &made));
    return made;
}

static inline void set_constants(const void *data, size_t bytes)
{
    static char all[256];

    memcpy(all, data, bytes);
    context->UpdateSubresource(constants, 0, nullptr, all, 0, 0);
}

// Clear and take the window as target.
static inline void begin()
{
    static const float colour[4] = {0.1f, 0.2f, 0.3f, 1};

    context->ClearRenderTargetView(back, colour);
    context->ClearDepthStencilView(depth, D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1,
                                   0);
    context->OMSetRenderTargets(1, &back, depth);
}

static inline void start(HWND window)
{
    static const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
    DXGI_SWAP_CHAIN_DESC kind = {};
    D3D11_VIEWPORT area = {0, 0, WIDTH, HEIGHT, 0, 1};
    ID3D11Texture2D *shown;

    kind.BufferDesc = {WIDTH,
                       HEIGHT,
                       {0, 1},
                       DXGI_FORMAT_R8G8B8A8_UNORM,
                       DXGI_MODE_SCANLINE_ORDER_UNSPECIFIED,
                       DXGI_MODE_SCALING_UNSPECIFIED};
    kind.SampleDesc = {1, 0};
    kind.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
    kind.BufferCount = 1;
    kind.OutputWindow = window;
    kind.Windowed = TRUE;
    CHECK(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0,
                                        &level, 1, D3D11_SDK_VERSION, &kind, &chain,
                                        &device, nullptr, &context));
    CHECK(chain->GetBuffer(0, __uuidof(ID3D11Texture2D), (void **)&shown));
    back = target(shown);
    CHECK(device->CreateDepthStencilView(
        texture(WIDTH, HEIGHT, DXGI_FORMAT_D24_UNORM_S8_UINT, D3D11_BIND_DEPTH_STENCIL),
        nullptr, &depth));
    constants = buffer(nullptr, 256, D3D11_BIND_CONSTANT_BUFFER);
    context->VSSetConstantBuffers(0, 1, &constants);
    context->HSSetConstantBuffers(0, 1, &constants);
    context->DSSetConstantBuffers(0, 1, &constants);
    context->GSSetConstantBuffers(0, 1, &constants);
    context->PSSetConstantBuffers(0, 1, &constants);
    context->CSSetConstantBuffers(0, 1, &constants);
    context->RSSetViewports(1, &area);
    context->RSSetState(rasterizer());
}

int main(int argc, char **argv)
{
    start(window(argv[0]));
    set_up();
    for (int frame = 0; frame < frames(argc, argv); frame++) {
        messages();
        draw(frame);
        CHECK(chain->Present(0, 0));
    }
    return 0;
}
#endif
