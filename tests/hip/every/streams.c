// Every function of HIP that makes, waits for or asks streams and events, launches kernels, loads
// code, writes values or opens what another process has, called once.
#define _GNU_SOURCE
#include "kernels_code.h"
#include "program.h"
#include <stdlib.h>
#include <unistd.h>

static hipStream_t stream;
static uint32_t *data, value = 1;
static void *arguments[] = {&data, &value};
static const dim3 one = {1, 1, 1};

static void nothing(void *of) { (void)of; }
static void called_back(hipStream_t of, hipError_t error, void *with) {
    (void)of, (void)error, (void)with;
}

static void devices(void) {
    hipCtx_t context;
    void *memory;
    OK(hipSetDevice(0));
    OK(hipCtxCreate(&context, 0, 1)); // and is current
    OK(hipMalloc(&memory, BYTES));
    OK(hipDeviceSynchronize());
    OK(hipFree(memory));
    OK(hipCtxDestroy(context));
    OK(hipDevicePrimaryCtxRetain(&context, 0));
    OK(hipCtxSetCurrent(context));
    OK(hipCtxPushCurrent(context));
    OK(hipCtxPopCurrent(&context));
    OK(hipSetDevice(0));
    OK(hipDeviceSynchronize());
    OK(hipCtxSynchronize());
}

static void streams(void) {
    hipStream_t made;
    hipError_t ready;
    uint32_t mask = 1;
    OK(hipStreamCreate(&made));
    OK(hipStreamDestroy(made));
    OK(hipStreamCreateWithPriority(&made, hipStreamNonBlocking, 0));
    OK(hipExtStreamCreateWithCUMask(&made, 1, &mask));
    OK(hipStreamSynchronize(stream));
    OK(hipStreamSynchronize_spt(NULL));
    ready = hipStreamQuery(stream);
    ready = ready ? ready : hipStreamQuery_spt(NULL);
    succeeded(ready, "a query of streams that are done");
    OK(hipLaunchHostFunc(stream, nothing, NULL));
    OK(hipLaunchHostFunc_spt(NULL, nothing, NULL));
    OK(hipStreamAddCallback(stream, called_back, NULL, 0));
    OK(hipStreamAddCallback_spt(NULL, called_back, NULL, 0));
}

static void events(void) {
    hipEvent_t event, timed;
    float ms;
    OK(hipEventCreate(&timed));
    OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    OK(hipEventDestroy(event));
    OK(hipEventCreate(&event));
    OK(hipEventRecord(timed, stream));
    OK(hipEventRecord_spt(event, NULL));
    OK(hipEventRecordWithFlags(event, stream, 0));
    OK(hipStreamWaitEvent(NULL, event, 0));
    OK(hipStreamWaitEvent_spt(NULL, event, 0));
    OK(hipEventSynchronize(event));
    OK(hipEventQuery(event));
    OK(hipEventElapsedTime(&ms, timed, event));
}

static void stub(void) { __asm__ volatile("" ::"r"(__func__)); }

static void kernels(void) {
    const void *fill = (const void *)stub;
    hipEvent_t started = new_event(), stopped = new_event();
    hipLaunchConfig_t config = {.gridDim = one, .blockDim = one, .stream = stream};
    hipLaunchParams several = {(void *)fill, one, one, arguments, 0, stream};
    struct {
        uint32_t magic, version;
        const void *binary;
        void *unused;
    } wrapper = {0x48495046, 1, code_object, NULL};
    void **modules = __hipRegisterFatBinary(&wrapper);
    __hipRegisterFunction(modules, fill, "fill", "fill", ~0u, NULL, NULL, NULL, NULL, NULL);
    OK(hipLaunchKernel(fill, one, one, arguments, 0, stream));
    OK(hipLaunchKernel_spt(fill, one, one, arguments, 0, NULL));
    OK(hipLaunchCooperativeKernel(fill, one, one, arguments, 0, stream));
    OK(hipLaunchCooperativeKernel_spt(fill, one, one, arguments, 0, NULL));
    OK(hipExtLaunchKernel(fill, one, one, arguments, 0, stream, started, stopped, 0));
    OK(hipLaunchKernelExC(&config, fill, arguments));
    OK(hipExtLaunchMultiKernelMultiDevice(&several, 1, 0));
    OK(hipLaunchCooperativeKernelMultiDevice(&several, 1, 0));
    OK(hipConfigureCall(one, one, 0, stream)); // its arguments are not known
    OK(hipLaunchByPtr(fill));
    OK(hipStreamSynchronize(stream));
    __hipUnregisterFatBinary(modules);
}

static const char *file_of_code(void) {
    static char path[] = "/tmp/code-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, code_object, sizeof code_object) != sizeof code_object || close(fd))
        exit(4);
    return path;
}

static void launch(hipFunction_t function) {
    struct {
        void *data;
        uint32_t value;
    } packed = {data, 1};
    size_t size = sizeof packed;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    hipEvent_t started = new_event(), stopped = new_event();
    HIP_LAUNCH_CONFIG config = {1, 1, 1, 1, 1, 1, 0, stream, NULL, 0};
    hipFunctionLaunchParams several = {function, 1, 1, 1, 1, 1, 1, 0, stream, arguments};
    OK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra));
    OK(hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments));
    OK(hipExtModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL, started,
                                stopped, 0));
    OK(hipHccModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL, NULL,
                                stopped));
    OK(hipDrvLaunchKernelEx(&config, function, arguments, NULL));
    OK(hipModuleLaunchCooperativeKernelMultiDevice(&several, 1, 0));
}

static void code(void) {
    const char *path = file_of_code();
    hipModule_t module;
    hipFunction_t function;
    hipLibrary_t library;
    hipKernel_t kernel;
    hipDeviceptr_t address;
    size_t size;
    OK(hipModuleLoadFatBinary(&module, code_object));
    OK(hipModuleLoadDataEx(&module, code_object, 0, NULL, NULL));
    OK(hipModuleLoadData(&module, code_object));
    OK(hipModuleUnload(module));
    OK(hipModuleLoad(&module, path));
    (void)hipModuleGetGlobal(&address, &size, module, "none");
    OK(hipModuleGetFunction(&function, module, "fill"));
    launch(function);
    OK(hipGetFuncBySymbol(&function, (const void *)stub));
    OK(hipLibraryLoadData(&library, code_object, NULL, NULL, 0, NULL, NULL, 0));
    OK(hipLibraryGetKernel(&kernel, library, "fill"));
    OK(hipKernelGetFunction(&function, kernel));
    OK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
    kernel = NULL;
    OK(hipLibraryEnumerateKernels(&kernel, 1, library));
    OK(hipLibraryUnload(library));
    library = (hipLibrary_t)path; // the stand-in takes the call, and gives no handle
    OK(hipLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
    unlink(path);
}

static void names(void) {
    hipDriverProcAddressQueryResult result;
    void *found = NULL;
    hipError_t (*set)(void *, int, size_t, hipStream_t);
    OK(hipGetProcAddress("hipMemsetAsync", &found, 70100000, 0, &result));
    set = (hipError_t(*)(void *, int, size_t, hipStream_t))found;
    OK(set(data, 1, 16, stream));
    OK(hipGetProcAddress_spt("hipMemsetAsync", &found, 70100000, 0, &result));
    set = (hipError_t(*)(void *, int, size_t, hipStream_t))found;
    OK(set(data, 1, 16, stream));
    OK(hipGetDriverEntryPoint("hipMemsetAsync", &found, 0, &result));
    set = (hipError_t(*)(void *, int, size_t, hipStream_t))found;
    OK(set(data, 1, 16, stream));
    OK(hipGetDriverEntryPoint_spt("hipMemsetAsync", &found, 0, &result));
    set = (hipError_t(*)(void *, int, size_t, hipStream_t))found;
    OK(set(data, 1, 16, stream));
}

static void values(void) {
    void *memory;
    OK(hipExtMallocWithFlags(&memory, 16, hipMallocSignalMemory));
    uint64_t *word = memory, far[18] = {7}, *handles[] = {word + 1};
    hipStreamBatchMemOpParams both[2] = {
        {.writeValue = {hipStreamMemOpWriteValue32, word, {3}, 0, NULL}},
        {.waitValue = {hipStreamMemOpWaitValue32, word, {3}, hipStreamWaitValueEq, NULL}}};
    OK(hipStreamWriteValue32(stream, word, 1, 0));
    OK(hipStreamWaitValue32(stream, word, 1, hipStreamWaitValueGte, ~0u));
    OK(hipStreamWriteValue64(stream, word, 2, 0));
    OK(hipStreamWaitValue64(stream, word, 2, hipStreamWaitValueGte, ~0ul));
    OK(hipStreamBatchMemOp(stream, 2, both, 0));
    // The stand-in has no semaphores: it takes these calls and does nothing.
    OK(hipSignalExternalSemaphoresAsync((const void *)handles, (const void *)far, 1, stream));
    OK(hipWaitExternalSemaphoresAsync((const void *)handles, (const void *)far, 1, stream));
}

static void shared(void) {
    hipIpcMemHandle_t memory;
    hipIpcEventHandle_t of_event;
    hipEvent_t event, opened;
    void *address;
    OK(hipIpcGetMemHandle(&memory, data));
    OK(hipIpcOpenMemHandle(&address, memory, 1));
    OK(hipIpcCloseMemHandle(address));
    OK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
    OK(hipIpcGetEventHandle(&of_event, event));
    OK(hipIpcOpenEventHandle(&opened, of_event));
    // Of these the stand-in has nothing: what is opened is said here.
    static uint32_t pools[4], externals[4], graphics[4];
    uint64_t description[10] = {0, sizeof externals};
    size_t size = sizeof graphics;
    address = pools;
    OK(hipMemPoolImportPointer(&address, NULL, NULL));
    address = externals;
    OK(hipExternalMemoryGetMappedBuffer(&address, NULL, (const void *)description));
    address = graphics;
    OK(hipGraphicsResourceGetMappedPointer(&address, &size, NULL));
    OK(hipMemcpyAsync(data, pools, 1, hipMemcpyDefault, stream));
    OK(hipMemcpyAsync(data, externals, 16, hipMemcpyDefault, stream));
    OK(hipMemcpyAsync(data, graphics, 16, hipMemcpyDefault, stream));
}

int main(void) {
    stream = new_stream();
    data = device_words(WORDS);
    devices();
    streams();
    events();
    kernels();
    code();
    names();
    values();
    shared();
    OK(hipDeviceReset());
    return 0;
}
