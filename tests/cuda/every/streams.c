// Every function of CUDA's driver that makes, waits for or asks contexts, streams and events,
// launches kernels, has variables, writes values or opens what another process has, called once.
#include "every.h"

static void nothing(void *of) { (void)of; }
static void called_back(CUstream of, CUresult result, void *with) {
    (void)of, (void)result, (void)with;
}

static void contexts(void) {
    CUcontext made, was;
    CUdeviceptr memory;
    OK(cuCtxCreate(&made, 0, 1)); // and is current
    OK(cuMemAlloc_v2(&memory, BYTES));
    OK(cuCtxSynchronize());
    OK(cuCtxDestroy(made));
    OK(cuMemAlloc_v2(&memory, BYTES)); // of device 0, whose context is current again
    OK(cuCtxCreate_v2(&made, 0, 1));
    OK(cuCtxPopCurrent(&was));
    OK(cuCtxSynchronize_v2(made));
    OK(cuCtxDestroy_v2(made));
    OK(cuCtxCreate_v3(&made, NULL, 0, 0, 1));
    OK(cuCtxPopCurrent_v2(&was));
    OK(cuCtxPushCurrent(made));
    OK(cuCtxPopCurrent(&was));
    OK(cuCtxCreate_v4(&made, NULL, 0, 1));
    OK(cuCtxPushCurrent_v2(context));
    OK(cuCtxSynchronize());
    OK(cuDevicePrimaryCtxReset(1));
    OK(cuDevicePrimaryCtxReset_v2(1));
    OK(cuCtxSetCurrent(context));
}

static void streams(void) {
    CUstream made;
    OK(cuStreamCreate(&made, CU_STREAM_DEFAULT));
    OK(cuStreamDestroy(made));
    OK(cuStreamCreateWithPriority(&made, CU_STREAM_NON_BLOCKING, 0));
    OK(cuStreamDestroy_v2(made));
    made = (CUstream)&made; // the stand-in takes the call, and gives no handle
    OK(cuGreenCtxStreamCreate(&made, NULL, CU_STREAM_NON_BLOCKING, 0));
    IN_BOTH(cuStreamSynchronize, on);
    IN_BOTH(cuStreamQuery, on);
    IN_BOTH(cuLaunchHostFunc, on, nothing, NULL);
    IN_BOTH(cuStreamAddCallback, on, called_back, NULL, 0);
}

static void events(void) {
    CUevent event, timed;
    float ms;
    OK(cuEventCreate(&timed, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventDestroy(event));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventDestroy_v2(event));
    OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    IN_BOTH(cuEventRecord, timed, on);
    IN_BOTH(cuEventRecordWithFlags, event, on, 0);
    IN_BOTH(cuStreamWaitEvent, on, event, 0);
    OK(cuEventSynchronize(timed));
    OK(cuEventSynchronize(event));
    OK(cuEventQuery(event));
    OK(cuEventElapsedTime(&ms, timed, event));
    OK(cuEventElapsedTime_v2(&ms, timed, event));
}

static void kernels(void) {
    struct {
        CUdeviceptr data;
        uint32_t value;
    } packed = {device, 1};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, stream, NULL, 0};
    CUDA_LAUNCH_PARAMS several = {fill, 1, 1, 1, 1, 1, 1, 0, stream, of_fill};
    IN_BOTH(cuLaunchKernel, pass, 1, 1, 1, 1, 1, 1, 0, on, of_pass, NULL);
    OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra));
    IN_BOTH(cuLaunchCooperativeKernel, fill, 1, 1, 1, 1, 1, 1, 0, on, of_fill);
    OK(cuLaunchKernelEx(&config, fill, of_fill, NULL));
    config.hStream = NULL;
    OK(cuLaunchKernelEx_ptsz(&config, fill, of_fill, NULL));
    OK(cuLaunchCooperativeKernelMultiDevice(&several, 1, 0));
}

// A function of a library is launched as the kernel that it is; a kernel nobody described has
// parameters of which nothing is known.
static void code(void) {
    CUlibrary library;
    CUmodule module;
    CUkernel kernel;
    CUfunction unknown;
    CUdeviceptr memory;
    size_t size;
    standin_variable("variable", 64);
    OK(cuLibraryLoadData(&library, "any image", NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "_Z4passPKjPj"));
    OK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, stream, of_pass, NULL));
    OK(cuLibraryGetGlobal(&memory, &size, library, "variable"));
    OK(cuMemcpyDtoDAsync_v2(memory, device, size, stream));
    OK(cuLibraryGetManaged(&memory, &size, library, "variable"));
    OK(cuLibraryUnload(library));
    cuLibraryLoadFromFile(&library, "/proc/self/exe", NULL, NULL, 0, NULL, NULL, 0);
    cuModuleLoad(&module, "/proc/self/exe"); // whether it can be had is the stand-in's matter
    OK(cuModuleLoadFatBinary(&module, "any image"));
    OK(cuModuleLoadDataEx(&module, "any image", 0, NULL, NULL));
    OK(cuModuleLoadData(&module, "any image"));
    OK(cuModuleGetFunction(&unknown, module, "unknown"));
    OK(cuLaunchKernel(unknown, 1, 1, 1, 1, 1, 1, 0, stream, of_pass, NULL));
    OK(cuModuleGetGlobal_v2(&memory, &size, module, "variable"));
    OK(cuModuleUnload(module));
}

static void names(void) {
    CUresult (*set)(CUdeviceptr, unsigned char, size_t, CUstream);
    CUresult (*ask)(const char *, void **, int, uint64_t, void *);
    void *found;
    CUdriverProcAddressQueryResult result;
    OK(cuGetProcAddress("cuMemsetD8Async", &found, 12000, 0));
    *(void **)&set = found;
    OK(set(device, 1, 16, stream));
    OK(cuGetProcAddress_v2("cuGetProcAddress", &found, 13000, 0, &result));
    *(void **)&ask = found;
    OK(ask("cuMemsetD8Async", &found, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
           &result));
    *(void **)&set = found;
    OK(set(device, 1, 16, NULL));
}

// No value is less than one before it, so that two streams that write one word go on.
static void values(void) {
    CUdeviceptr word;
    OK(cuMemAlloc_v2(&word, 16));
    uint64_t far[18] = {7}, *handles[] = {(uint64_t *)(uintptr_t)word + 1};
    CUstreamBatchMemOpParams both[2] = {
        {.writeValue = {hipStreamMemOpWriteValue32, (void *)(uintptr_t)word, {5}, 0, NULL}},
        {.waitValue = {hipStreamMemOpWaitValue32, (void *)(uintptr_t)word, {5}, 0, NULL}}};
    IN_BOTH(cuStreamWriteValue32, on, word, 1, 0);
    IN_BOTH(cuStreamWriteValue32_v2, on, word, 2, 0);
    IN_BOTH(cuStreamWaitValue32, on, word, 1, CU_STREAM_WAIT_VALUE_GEQ);
    IN_BOTH(cuStreamWaitValue32_v2, on, word, 2, CU_STREAM_WAIT_VALUE_GEQ);
    IN_BOTH(cuStreamWriteValue64, on, word, 3, 0);
    IN_BOTH(cuStreamWriteValue64_v2, on, word, 4, 0);
    IN_BOTH(cuStreamWaitValue64, on, word, 3, CU_STREAM_WAIT_VALUE_GEQ);
    IN_BOTH(cuStreamWaitValue64_v2, on, word, 4, CU_STREAM_WAIT_VALUE_GEQ);
    IN_BOTH(cuStreamBatchMemOp, on, 2, both, 0);
    IN_BOTH(cuStreamBatchMemOp_v2, on, 2, both, 0);
    // The stand-in has no semaphores: it takes these calls and does nothing.
    IN_BOTH(cuSignalExternalSemaphoresAsync, (const void *)handles, (const void *)far, 1, on);
    IN_BOTH(cuWaitExternalSemaphoresAsync, (const void *)handles, (const void *)far, 1, on);
}

static void shared(void) {
    CUipcMemHandle memory;
    CUipcEventHandle of_event;
    CUevent event, opened;
    CUdeviceptr address;
    OK(cuIpcGetMemHandle(&memory, device));
    OK(cuIpcOpenMemHandle(&address, memory, 1));
    OK(cuIpcCloseMemHandle(address));
    OK(cuIpcOpenMemHandle_v2(&address, memory, 1));
    OK(cuIpcCloseMemHandle(address));
    OK(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    OK(cuIpcGetEventHandle(&of_event, event));
    OK(cuIpcOpenEventHandle(&opened, of_event));
    // Of these the stand-in has nothing: what is opened is said here.
    static uint32_t pools[4], externals[4], graphics[4];
    uint64_t description[10] = {0, sizeof externals};
    size_t size = sizeof graphics;
    CUdeviceptr of_pool = (CUdeviceptr)(uintptr_t)pools;
    CUdeviceptr external = (CUdeviceptr)(uintptr_t)externals;
    CUdeviceptr graphic = (CUdeviceptr)(uintptr_t)graphics;
    OK(cuMemPoolImportPointer(&of_pool, NULL, NULL));
    OK(cuExternalMemoryGetMappedBuffer(&external, NULL, (const void *)description));
    OK(cuGraphicsResourceGetMappedPointer_v2(&graphic, &size, NULL));
    OK(cuMemcpyAsync(device, of_pool, 1, stream));
    OK(cuMemcpyAsync(device, external, 16, stream));
    OK(cuMemcpyAsync(device, graphic, 16, stream));
}

int main(void) {
    begin();
    contexts();
    streams();
    events();
    kernels();
    code();
    names();
    values();
    shared();
    OK(cuCtxSynchronize());
    return 0;
}
