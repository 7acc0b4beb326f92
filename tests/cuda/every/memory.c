// Every function of CUDA's driver that allocates, frees, copies or fills, called once.
#include "every.h"

static void allocations(void) {
    CUdeviceptr memory;
    void *pinned;
    size_t pitch;
    OK(cuMemAllocPitch_v2(&memory, &pitch, WIDTH, ROWS, 4));
    OK(cuMemFree_v2(memory));
    OK(cuMemAllocManaged(&memory, BYTES, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemAllocHost_v2(&pinned, BYTES));
    OK(cuMemHostGetDevicePointer_v2(&memory, pinned, 0));
    OK(cuMemFreeHost(pinned));
    pinned = aligned_alloc(4096, 4096);
    OK(cuMemHostRegister(pinned, 4096, 0));
    OK(cuMemHostUnregister(pinned));
    OK(cuMemHostRegister_v2(pinned, 4096, 0));
    OK(cuMemHostUnregister(pinned));
}

static void pools(void) {
    CUmemoryPool pool;
    CUdeviceptr memory;
    CUmemAllocationProp prop = {.type = 1, .location = {hipMemLocationTypeDevice, 0}};
    CUmemGenericAllocationHandle handle;
    size_t size = 0;
    IN_BOTH(cuMemAllocAsync, &memory, BYTES, on);
    IN_BOTH(cuMemFreeAsync, on ? memory : device, on);
    OK(cuMemAlloc_v2(&device, BYTES));
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    IN_BOTH(cuMemAllocFromPoolAsync, &memory, BYTES, pool, on);
    OK(cuMemGetAllocationGranularity(&size, &prop, 1));
    OK(cuMemAddressReserve(&memory, size, 0, 0, 0));
    OK(cuMemCreate(&handle, size, &prop, 0));
    OK(cuMemMap(memory, size, 0, handle, 0));
    OK(cuMemUnmap(memory, size));
    OK(cuMemAddressFree(memory, size));
}

static void lines(void) {
    CUdeviceptr from = (CUdeviceptr)(uintptr_t)host;
    BY_DEFAULT(cuMemcpy, device, from, BYTES);
    BY_DEFAULT(cuMemcpyHtoD_v2, device, host, BYTES);
    BY_DEFAULT(cuMemcpyDtoH_v2, back, device, BYTES);
    BY_DEFAULT(cuMemcpyDtoD_v2, other, device, BYTES);
    IN_BOTH(cuMemcpyAsync, device, from, BYTES, on);
    IN_BOTH(cuMemcpyHtoDAsync_v2, device, host, BYTES, on);
    IN_BOTH(cuMemcpyDtoHAsync_v2, back, device, BYTES, on);
    IN_BOTH(cuMemcpyDtoDAsync_v2, other, device, BYTES, on);
    BY_DEFAULT(cuMemcpyPeer, other, context, device, context, BYTES);
    IN_BOTH(cuMemcpyPeerAsync, other, context, device, context, BYTES, on);
}

static void boxes(void) {
    CUDA_MEMCPY2D flat = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = host,
                          .srcPitch = PITCH,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = device,
                          .dstPitch = WIDTH,
                          .WidthInBytes = WIDTH,
                          .Height = ROWS};
    CUDA_MEMCPY3D deep = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = host,
                          .srcPitch = PITCH,
                          .srcHeight = ROWS,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = device,
                          .dstPitch = WIDTH,
                          .dstHeight = ROWS,
                          .WidthInBytes = WIDTH,
                          .Height = ROWS,
                          .Depth = 2};
    CUDA_MEMCPY3D_PEER peers = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                .srcDevice = device,
                                .reserved0 = context,
                                .srcPitch = PITCH,
                                .srcHeight = ROWS,
                                .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                .dstDevice = other,
                                .reserved1 = context,
                                .dstPitch = WIDTH,
                                .dstHeight = ROWS,
                                .WidthInBytes = WIDTH,
                                .Height = ROWS,
                                .Depth = 1};
    BY_DEFAULT(cuMemcpy2D_v2, &flat);
    BY_DEFAULT(cuMemcpy2DUnaligned_v2, &flat);
    IN_BOTH(cuMemcpy2DAsync_v2, &flat, on);
    BY_DEFAULT(cuMemcpy3D_v2, &deep);
    IN_BOTH(cuMemcpy3DAsync_v2, &deep, on);
    BY_DEFAULT(cuMemcpy3DPeer, &peers);
    IN_BOTH(cuMemcpy3DPeerAsync, &peers, on);
    // The stand-in has no arrays: it takes these calls and does nothing.
    flat.dstMemoryType = deep.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    flat.dstArray = deep.dstArray = (CUarray)context;
    OK(cuMemcpy2D_v2(&flat));
    OK(cuMemcpy3DAsync_v2(&deep, stream));
}

static void arrays(void) {
    static char opaque[2];
    CUarray a = (CUarray)&opaque[0], b = (CUarray)&opaque[1];
    BY_DEFAULT(cuMemcpyDtoA_v2, a, 0, device, WIDTH);
    BY_DEFAULT(cuMemcpyAtoD_v2, device, a, 0, WIDTH);
    BY_DEFAULT(cuMemcpyHtoA_v2, a, 0, host, WIDTH);
    BY_DEFAULT(cuMemcpyAtoH_v2, back, a, 0, WIDTH);
    BY_DEFAULT(cuMemcpyAtoA_v2, a, 0, b, 0, WIDTH);
    IN_BOTH(cuMemcpyHtoAAsync_v2, a, 0, host, WIDTH, on);
    IN_BOTH(cuMemcpyAtoHAsync_v2, back, a, 0, WIDTH, on);
}

static void fills(void) {
    BY_DEFAULT(cuMemsetD8_v2, device, 1, 10);
    BY_DEFAULT(cuMemsetD16_v2, device, 1, 10);
    BY_DEFAULT(cuMemsetD32_v2, device, 1, 10);
    BY_DEFAULT(cuMemsetD2D8_v2, device, PITCH, 1, 10, ROWS);
    BY_DEFAULT(cuMemsetD2D16_v2, device, PITCH, 1, 10, ROWS);
    BY_DEFAULT(cuMemsetD2D32_v2, device, PITCH, 1, 10, ROWS);
    IN_BOTH(cuMemsetD8Async, device, 1, 10, on);
    IN_BOTH(cuMemsetD16Async, device, 1, 10, on);
    IN_BOTH(cuMemsetD32Async, device, 1, 10, on);
    IN_BOTH(cuMemsetD2D8Async, device, PITCH, 1, 10, ROWS, on);
    IN_BOTH(cuMemsetD2D16Async, device, PITCH, 1, 10, ROWS, on);
    IN_BOTH(cuMemsetD2D32Async, device, PITCH, 1, 10, ROWS, on);
}

static void batches(void) {
    CUdeviceptr to[] = {device, other};
    CUdeviceptr from[] = {(CUdeviceptr)(uintptr_t)host, (CUdeviceptr)(uintptr_t)(host + WORDS / 2)};
    size_t sizes[] = {BYTES / 2, BYTES / 2}, failed, first = 0;
    CUmemcpyAttributes attributes = {.srcAccessOrder = hipMemcpySrcAccessOrderStream};
    CUDA_MEMCPY3D_BATCH_OP box = {.srcAccessOrder = hipMemcpySrcAccessOrderStream,
                                  .extent = {WIDTH, ROWS, 1}};
    box.src.type = box.dst.type = 1;
    box.src.op.ptr.ptr = host;
    box.dst.op.ptr.ptr = (void *)(uintptr_t)device;
    IN_BOTH(cuMemcpyBatchAsync, to, from, sizes, 2, &attributes, &first, 1, &failed, on);
    IN_BOTH(cuMemcpyBatchAsync_v2, to, from, sizes, 2, &attributes, &first, 1, on);
    IN_BOTH(cuMemcpy3DBatchAsync, 1, &box, &failed, 0, on);
    IN_BOTH(cuMemcpy3DBatchAsync_v2, 1, &box, 0, on);
}

int main(void) {
    begin();
    allocations();
    pools();
    lines();
    boxes();
    arrays();
    fills();
    batches();
    OK(cuCtxSynchronize());
    return 0;
}
