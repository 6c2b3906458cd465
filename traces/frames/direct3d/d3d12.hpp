// d3d12.hpp - what the Direct3D 12 programs of the library of frames share: device,
// queue, swap chain, a fence waited for behind each frame. A program has set_up() and
// draw(frame), which fills the list.
#ifndef D3D12_HPP
#define D3D12_HPP
#include <d3d12.h>
#include <dxgi1_4.h>

#include "window.hpp"

static ID3D12Device *device;
static ID3D12CommandQueue *queue;
static ID3D12CommandAllocator *allocator;
static ID3D12GraphicsCommandList *list;
static IDXGISwapChain3 *chain;
static ID3D12Resource *shown[2];
static ID3D12DescriptorHeap *target_heap, *depth_heap;
static ID3D12Fence *fence;
static HANDLE passed;

static void set_up();
static void draw(int frame);

static inline ID3D12DescriptorHeap *heap(D3D12_DESCRIPTOR_HEAP_TYPE type, UINT count,
                                         D3D12_DESCRIPTOR_HEAP_FLAGS flags)
{
    D3D12_DESCRIPTOR_HEAP_DESC kind = {type, count, flags, 0};
    ID3D12DescriptorHeap *made;

    CHECK(device->CreateDescriptorHeap(&kind, __uuidof(ID3D12DescriptorHeap),
                                       (void **)&made));
    return made;
}

static inline D3D12_CPU_DESCRIPTOR_HANDLE
at(ID3D12DescriptorHeap *of, D3D12_DESCRIPTOR_HEAP_TYPE type, UINT number)
{
    D3D12_CPU_DESCRIPTOR_HANDLE place = of->GetCPUDescriptorHandleForHeapStart();

    place.ptr += number * device->GetDescriptorHandleIncrementSize(type);
    return place;
}

static inline ID3D12Resource *resource(D3D12_HEAP_TYPE where,
                                       const D3D12_RESOURCE_DESC &kind,
                                       D3D12_RESOURCE_STATES state,
                                       const D3D12_CLEAR_VALUE *clear = nullptr)
{
    D3D12_HEAP_PROPERTIES place = {where, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                   D3D12_MEMORY_POOL_UNKNOWN, 1, 1};
    ID3D12Resource *made;

    CHECK(device->CreateCommittedResource(&place, D3D12_HEAP_FLAG_NONE, &kind, state,
                                          clear, __uuidof(ID3D12Resource),
                                          (void **)&made));
    return made;
}

static inline D3D12_RESOURCE_DESC surface(UINT width, UINT height, DXGI_FORMAT format,
                                          D3D12_RESOURCE_FLAGS flags)
{
    return {
        D3D12_RESOURCE_DIMENSION_TEXTURE2D, 0,    width, height, 1, 1, format, {1, 0},
        D3D12_TEXTURE_LAYOUT_UNKNOWN,       flags};
}

static inline D3D12_RESOURCE_DESC linear(UINT bytes, D3D12_RESOURCE_FLAGS flags)
{
    return {D3D12_RESOURCE_DIMENSION_BUFFER,
            0,
            bytes,
            1,
            1,
            1,
            DXGI_FORMAT_UNKNOWN,
            {1, 0},
            D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
            flags};
}

// A buffer that the processor wrote.
static inline ID3D12Resource *filled(const void *data, UINT bytes)
{
    ID3D12Resource *made =
        resource(D3D12_HEAP_TYPE_UPLOAD, linear(bytes, D3D12_RESOURCE_FLAG_NONE),
                 D3D12_RESOURCE_STATE_GENERIC_READ);
    void *to;

    CHECK(made->Map(0, nullptr, &to));
    memcpy(to, data, bytes);
    made->Unmap(0, nullptr);
    return made;
}

static inline void change(ID3D12Resource *of, D3D12_RESOURCE_STATES from,
                          D3D12_RESOURCE_STATES to)
{
    D3D12_RESOURCE_BARRIER barrier = {};

    barrier.Transition = {of, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, from, to};
    list->ResourceBarrier(1, &barrier);
}

static inline D3D12_SHADER_BYTECODE code(ID3DBlob *of)
{
    return {of->GetBufferPointer(), of->GetBufferSize()};
}

static inline ID3D12RootSignature *signature(const D3D12_ROOT_SIGNATURE_DESC &kind)
{
    ID3DBlob *bytes, *words = nullptr;
    ID3D12RootSignature *made;

    CHECK(D3D12SerializeRootSignature(&kind, D3D_ROOT_SIGNATURE_VERSION_1, &bytes,
                                      &words));
    CHECK(device->CreateRootSignature(0, bytes->GetBufferPointer(),
                                      bytes->GetBufferSize(),
                                      __uuidof(ID3D12RootSignature), (void **)&made));
    return made;
}

// What every pipeline here has: one target, depth, triangles of both sides.
static inline D3D12_GRAPHICS_PIPELINE_STATE_DESC usual(ID3D12RootSignature *root)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC kind = {};

    kind.pRootSignature = root;
    kind.BlendState.RenderTarget[0].RenderTargetWriteMask =
        D3D12_COLOR_WRITE_ENABLE_ALL;
    kind.SampleMask = ~0u;
    kind.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
    kind.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
    kind.RasterizerState.DepthClipEnable = TRUE;
    kind.DepthStencilState.DepthEnable = TRUE;
    kind.DepthStencilState.DepthWriteMask = D3D12_DEPTH_WRITE_MASK_ALL;
    kind.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
    kind.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    kind.NumRenderTargets = 1;
    kind.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
    kind.DSVFormat = DXGI_FORMAT_D32_FLOAT;
    kind.SampleDesc.Count = 1;
    return kind;
}

static inline ID3D12PipelineState *
pipeline(const D3D12_GRAPHICS_PIPELINE_STATE_DESC &kind)
{
    ID3D12PipelineState *made;

    CHECK(device->CreateGraphicsPipelineState(&kind, __uuidof(ID3D12PipelineState),
                                              (void **)&made));
    return made;
}

static inline void start_chain(HWND window)
{
    IDXGIFactory4 *factory;
    IDXGISwapChain1 *first;
    DXGI_SWAP_CHAIN_DESC1 kind = {};

    kind.Width = WIDTH;
    kind.Height = HEIGHT;
    kind.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    kind.SampleDesc.Count = 1;
    kind.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
    kind.BufferCount = 2;
    kind.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
    CHECK(CreateDXGIFactory2(0, __uuidof(IDXGIFactory4), (void **)&factory));
    CHECK(factory->CreateSwapChainForHwnd(queue, window, &kind, nullptr, nullptr,
                                          &first));
    CHECK(first->QueryInterface(__uuidof(IDXGISwapChain3), (void **)&chain));
    target_heap =
        heap(D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 2, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
    for (UINT i = 0; i < 2; i++) {
        CHECK(chain->GetBuffer(i, __uuidof(ID3D12Resource), (void **)&shown[i]));
        device->CreateRenderTargetView(
            shown[i], nullptr, at(target_heap, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, i));
    }
}

static inline void start(HWND window)
{
    D3D12_COMMAND_QUEUE_DESC kind = {};
    D3D12_CLEAR_VALUE clear = {};
    ID3D12Resource *depth;

    CHECK(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device),
                            (void **)&device));
    CHECK(device->CreateCommandQueue(&kind, __uuidof(ID3D12CommandQueue),
                                     (void **)&queue));
    start_chain(window);
    clear.Format = DXGI_FORMAT_D32_FLOAT;
    clear.DepthStencil.Depth = 1;
    depth = resource(D3D12_HEAP_TYPE_DEFAULT,
                     surface(WIDTH, HEIGHT, DXGI_FORMAT_D32_FLOAT,
                             D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL),
                     D3D12_RESOURCE_STATE_DEPTH_WRITE, &clear);
    depth_heap =
        heap(D3D12_DESCRIPTOR_HEAP_TYPE_DSV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
    device->CreateDepthStencilView(depth, nullptr,
                                   depth_heap->GetCPUDescriptorHandleForHeapStart());
    CHECK(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT,
                                         __uuidof(ID3D12CommandAllocator),
                                         (void **)&allocator));
    CHECK(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator,
                                    nullptr, __uuidof(ID3D12GraphicsCommandList),
                                    (void **)&list));
    CHECK(list->Close());
    CHECK(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Fence),
                              (void **)&fence));
    passed = CreateEventA(nullptr, FALSE, FALSE, nullptr);
}

// The list runs, and is over when this returns.
static inline void execute(bool present)
{
    static UINT64 number;
    ID3D12CommandList *all = list;

    CHECK(list->Close());
    queue->ExecuteCommandLists(1, &all);
    if (present)
        CHECK(chain->Present(0, 0));
    CHECK(queue->Signal(fence, ++number));
    CHECK(fence->SetEventOnCompletion(number, passed));
    WaitForSingleObject(passed, INFINITE);
}

static inline void clear_window(UINT buffer)
{
    static const float colour[4] = {0.1f, 0.2f, 0.3f, 1};
    static const D3D12_VIEWPORT area = {0, 0, WIDTH, HEIGHT, 0, 1};
    static const D3D12_RECT inside = {0, 0, WIDTH, HEIGHT};
    D3D12_CPU_DESCRIPTOR_HANDLE to =
        at(target_heap, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, buffer);
    D3D12_CPU_DESCRIPTOR_HANDLE depth =
        depth_heap->GetCPUDescriptorHandleForHeapStart();

    list->OMSetRenderTargets(1, &to, FALSE, &depth);
    list->ClearRenderTargetView(to, colour, 0, nullptr);
    list->ClearDepthStencilView(depth, D3D12_CLEAR_FLAG_DEPTH, 1, 0, 0, nullptr);
    list->RSSetViewports(1, &area);
    list->RSSetScissorRects(1, &inside);
}

int main(int argc, char **argv)
{
    start(window(argv[0]));
    set_up();
    for (int frame = 0; frame < frames(argc, argv); frame++) {
        UINT buffer = chain->GetCurrentBackBufferIndex();

        messages();
        CHECK(allocator->Reset());
        CHECK(list->Reset(allocator, nullptr));
        change(shown[buffer], D3D12_RESOURCE_STATE_PRESENT,
               D3D12_RESOURCE_STATE_RENDER_TARGET);
        clear_window(buffer);
        draw(frame);
        change(shown[buffer], D3D12_RESOURCE_STATE_RENDER_TARGET,
               D3D12_RESOURCE_STATE_PRESENT);
        execute(true);
    }
    return 0;
}
#endif
