// Every function of HIP that allocates, frees, copies or fills, called once.
#include "program.h"
#include <stdlib.h>

enum { PITCH = 64, WIDTH = 16, ROWS = 4 };
static uint32_t *host, *back, *device, *other;
static hipStream_t stream;
static char symbol[WORDS]; // a shadow, as the compiler makes one

static void allocations(void) {
    void *memory;
    size_t pitch;
    hipPitchedPtr pitched;
    hipDeviceptr_t rows;
    OK(hipExtMallocWithFlags(&memory, BYTES, hipDeviceMallocDefault));
    OK(hipMallocPitch(&memory, &pitch, WIDTH, ROWS));
    OK(hipMemAllocPitch(&rows, &pitch, WIDTH, ROWS, 4));
    OK(hipMalloc3D(&pitched, (hipExtent){WIDTH, ROWS, 2}));
    OK(hipMallocManaged(&memory, BYTES, hipMemAttachGlobal));
    OK(hipFree(memory));
    OK(hipHostAlloc(&memory, BYTES, hipHostMallocMapped));
    OK(hipHostGetDevicePointer(&memory, memory, 0));
    OK(hipExtHostAlloc(&memory, BYTES, hipHostMallocDefault));
    OK(hipMallocHost(&memory, BYTES));
    OK(hipHostFree(memory));
    OK(hipMemAllocHost(&memory, BYTES));
    OK(hipFreeHost(memory));
    memory = aligned_alloc(4096, 4096);
    OK(hipHostRegister(memory, 4096, 0));
    OK(hipHostUnregister(memory));
}

static void pools(void) {
    hipMemPool_t pool;
    void *memory;
    hipMemAllocationProp prop = {.type = 1, .location = {hipMemLocationTypeDevice, 0}};
    hipMemGenericAllocationHandle_t handle;
    size_t size = 0;
    OK(hipMallocAsync(&memory, BYTES, stream));
    OK(hipFreeAsync(memory, stream));
    OK(hipDeviceGetDefaultMemPool(&pool, 0));
    OK(hipMallocFromPoolAsync(&memory, BYTES, pool, stream));
    OK(hipFreeAsync(memory, stream));
    OK(hipMemGetAllocationGranularity(&size, &prop, 1));
    OK(hipMemAddressReserve(&memory, size, 0, NULL, 0));
    OK(hipMemCreate(&handle, size, &prop, 0));
    OK(hipMemMap(memory, size, 0, handle, 0));
    OK(hipMemUnmap(memory, size));
}

static void lines(void) {
    OK(hipMemcpy(device, host, BYTES, hipMemcpyHostToDevice));
    OK(hipMemcpy_spt(device, host, BYTES, hipMemcpyHostToDevice));
    OK(hipMemcpyDtoD(other, device, BYTES));
    OK(hipMemcpyDtoH(back, device, BYTES));
    OK(hipMemcpyHtoD(device, host, BYTES));
    OK(hipMemcpyAsync(device, host, BYTES, hipMemcpyHostToDevice, stream));
    OK(hipMemcpyAsync_spt(device, host, BYTES, hipMemcpyHostToDevice, NULL));
    OK(hipMemcpyDtoDAsync(other, device, BYTES, stream));
    OK(hipMemcpyDtoHAsync(back, device, BYTES, stream));
    OK(hipMemcpyHtoDAsync(device, host, BYTES, stream));
    OK(hipMemcpyWithStream(device, host, BYTES, hipMemcpyHostToDevice, stream));
    OK(hipMemcpyPeer(other, 0, device, 0, BYTES));
    OK(hipMemcpyPeerAsync(other, 0, device, 0, BYTES, stream));
}

static void boxes(void) {
    hip_Memcpy2D flat = {.srcMemoryType = hipMemoryTypeHost,
                         .srcHost = host,
                         .srcPitch = PITCH,
                         .dstMemoryType = hipMemoryTypeDevice,
                         .dstDevice = device,
                         .dstPitch = WIDTH,
                         .WidthInBytes = WIDTH,
                         .Height = ROWS};
    HIP_MEMCPY3D deep = {.srcMemoryType = hipMemoryTypeHost,
                         .srcHost = host,
                         .srcPitch = PITCH,
                         .srcHeight = ROWS,
                         .dstMemoryType = hipMemoryTypeDevice,
                         .dstDevice = device,
                         .dstPitch = WIDTH,
                         .dstHeight = ROWS,
                         .WidthInBytes = WIDTH,
                         .Height = ROWS,
                         .Depth = 2};
    hipMemcpy3DParms box = {.srcPtr = {host, PITCH, PITCH, ROWS},
                            .dstPtr = {device, WIDTH, WIDTH, ROWS},
                            .extent = {WIDTH, ROWS, 2},
                            .kind = hipMemcpyHostToDevice};
    hipMemcpy3DPeerParms peers = {.srcPtr = {device, PITCH, PITCH, ROWS},
                                  .dstPtr = {other, WIDTH, WIDTH, ROWS},
                                  .extent = {WIDTH, ROWS, 1}};
    hipMemcpyKind kind = hipMemcpyHostToDevice;
    OK(hipMemcpy2D(device, WIDTH, host, PITCH, WIDTH, ROWS, kind));
    OK(hipMemcpy2D_spt(device, WIDTH, host, PITCH, WIDTH, ROWS, kind));
    OK(hipMemcpy2DAsync(device, WIDTH, host, PITCH, WIDTH, ROWS, kind, stream));
    OK(hipMemcpy2DAsync_spt(device, WIDTH, host, PITCH, WIDTH, ROWS, kind, NULL));
    OK(hipMemcpyParam2D(&flat));
    OK(hipMemcpyParam2DAsync(&flat, stream));
    OK(hipDrvMemcpy2DUnaligned(&flat));
    OK(hipMemcpy3D(&box));
    OK(hipMemcpy3D_spt(&box));
    OK(hipMemcpy3DAsync(&box, stream));
    OK(hipMemcpy3DAsync_spt(&box, NULL));
    OK(hipDrvMemcpy3D(&deep));
    OK(hipDrvMemcpy3DAsync(&deep, stream));
    OK(hipMemcpy3DPeer(&peers));
    OK(hipMemcpy3DPeerAsync(&peers, stream));
}

static void symbols(void) {
    hipMemcpyKind to = hipMemcpyHostToDevice, from = hipMemcpyDeviceToHost;
    void *address;
    __hipRegisterVar(NULL, symbol, "symbol", "symbol", 0, sizeof symbol, 0, 0);
    OK(hipGetSymbolAddress(&address, symbol));
    OK(hipMemcpyToSymbol(symbol, host, WIDTH, 8, to));
    OK(hipMemcpyToSymbol_spt(symbol, host, WIDTH, 8, to));
    OK(hipMemcpyToSymbolAsync(symbol, host, WIDTH, 8, to, stream));
    OK(hipMemcpyToSymbolAsync_spt(symbol, host, WIDTH, 8, to, NULL));
    OK(hipMemcpyFromSymbol(back, symbol, WIDTH, 8, from));
    OK(hipMemcpyFromSymbol_spt(back, symbol, WIDTH, 8, from));
    OK(hipMemcpyFromSymbolAsync(back, symbol, WIDTH, 8, from, stream));
    OK(hipMemcpyFromSymbolAsync_spt(back, symbol, WIDTH, 8, from, NULL));
}

// The stand-in has none: it takes these calls and does nothing.
static void arrays(void) {
    static char opaque[2];
    hipArray_t a = (hipArray_t)&opaque[0], b = (hipArray_t)&opaque[1];
    hipMemcpyKind to = hipMemcpyHostToDevice, from = hipMemcpyDeviceToHost;
    OK(hipMemcpyToArray(a, 0, 0, host, WIDTH, to));
    OK(hipMemcpyFromArray(back, a, 0, 0, WIDTH, from));
    OK(hipMemcpyFromArray_spt(back, a, 0, 0, WIDTH, from));
    OK(hipMemcpyHtoA(a, 0, host, WIDTH));
    OK(hipMemcpyAtoH(back, a, 0, WIDTH));
    OK(hipMemcpyHtoAAsync(a, 0, host, WIDTH, stream));
    OK(hipMemcpyAtoHAsync(back, a, 0, WIDTH, stream));
    OK(hipMemcpyAtoD(device, a, 0, WIDTH));
    OK(hipMemcpyDtoA(a, 0, device, WIDTH));
    OK(hipMemcpyAtoA(a, 0, b, 0, WIDTH));
    OK(hipMemcpy2DArrayToArray(a, 0, 0, b, 0, 0, WIDTH, ROWS, hipMemcpyDeviceToDevice));
    OK(hipMemcpy2DToArray(a, 0, 0, host, PITCH, WIDTH, ROWS, to));
    OK(hipMemcpy2DToArray_spt(a, 0, 0, host, PITCH, WIDTH, ROWS, to));
    OK(hipMemcpy2DToArrayAsync(a, 0, 0, host, PITCH, WIDTH, ROWS, to, stream));
    OK(hipMemcpy2DToArrayAsync_spt(a, 0, 0, host, PITCH, WIDTH, ROWS, to, NULL));
    OK(hipMemcpy2DFromArray(back, PITCH, a, 0, 0, WIDTH, ROWS, from));
    OK(hipMemcpy2DFromArray_spt(back, PITCH, a, 0, 0, WIDTH, ROWS, from));
    OK(hipMemcpy2DFromArrayAsync(back, PITCH, a, 0, 0, WIDTH, ROWS, from, stream));
    OK(hipMemcpy2DFromArrayAsync_spt(back, PITCH, a, 0, 0, WIDTH, ROWS, from, NULL));
}

static void fills(void) {
    hipPitchedPtr box = {device, PITCH, PITCH, ROWS};
    hipExtent extent = {WIDTH, ROWS, 2};
    OK(hipMemset(device, 1, BYTES));
    OK(hipMemset_spt(device, 1, BYTES));
    OK(hipMemsetAsync(device, 1, BYTES, stream));
    OK(hipMemsetAsync_spt(device, 1, BYTES, NULL));
    OK(hipMemsetD8(device, 1, 10));
    OK(hipMemsetD16(device, 1, 10));
    OK(hipMemsetD32(device, 1, 10));
    OK(hipMemsetD8Async(device, 1, 10, stream));
    OK(hipMemsetD16Async(device, 1, 10, stream));
    OK(hipMemsetD32Async(device, 1, 10, stream));
    OK(hipMemset2D(device, PITCH, 1, WIDTH, ROWS));
    OK(hipMemset2D_spt(device, PITCH, 1, WIDTH, ROWS));
    OK(hipMemset2DAsync(device, PITCH, 1, WIDTH, ROWS, stream));
    OK(hipMemset2DAsync_spt(device, PITCH, 1, WIDTH, ROWS, NULL));
    OK(hipMemsetD2D8(device, PITCH, 1, 10, ROWS));
    OK(hipMemsetD2D16(device, PITCH, 1, 10, ROWS));
    OK(hipMemsetD2D32(device, PITCH, 1, 10, ROWS));
    OK(hipMemsetD2D8Async(device, PITCH, 1, 10, ROWS, stream));
    OK(hipMemsetD2D16Async(device, PITCH, 1, 10, ROWS, stream));
    OK(hipMemsetD2D32Async(device, PITCH, 1, 10, ROWS, stream));
    OK(hipMemset3D(box, 1, extent));
    OK(hipMemset3D_spt(box, 1, extent));
    OK(hipMemset3DAsync(box, 1, extent, stream));
    OK(hipMemset3DAsync_spt(box, 1, extent, NULL));
}

static void batches(void) {
    void *to[] = {device, other}, *from[] = {host, host + WORDS / 2};
    size_t sizes[] = {BYTES / 2, BYTES / 2}, failed, first = 0;
    hipMemcpyAttributes attributes = {.srcAccessOrder = hipMemcpySrcAccessOrderStream};
    hipMemcpy3DBatchOp box = {.srcAccessOrder = hipMemcpySrcAccessOrderStream,
                              .extent = {WIDTH, ROWS, 1}};
    box.src.type = box.dst.type = 1;
    box.src.op.ptr.ptr = host;
    box.dst.op.ptr.ptr = device;
    OK(hipMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, &failed, stream));
    OK(hipMemcpy3DBatchAsync(1, &box, &failed, 0, stream));
}

int main(void) {
    stream = new_stream();
    host = pinned_words(WORDS);
    back = pinned_words(WORDS);
    device = device_words(WORDS);
    other = device_words(WORDS);
    set_words(host, 1);
    allocations();
    pools();
    lines();
    boxes();
    symbols();
    arrays();
    fills();
    batches();
    OK(hipDeviceSynchronize());
    return 0;
}
