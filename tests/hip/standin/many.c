// Calls of several operations, and libraries of kernels. A batch of boxes is done in its order,
// which is one of those that it may have.
#include "standin.h"

hipError_t impl_hipMemcpy3DBatchAsync(size_t count, struct hipMemcpy3DBatchOp *ops, size_t *failed,
                                      unsigned long long flags, hipStream_t stream) {
    if (failed)
        *failed = SIZE_MAX;
    if (!count || !ops || flags || (!stream && !standin_own_stream) || stream == hipStreamLegacy)
        return fail(hipErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        const hipMemcpy3DBatchOp *op = &ops[i];
        size_t width = op->extent.width, height = op->extent.height;
        const hipMemcpy3DOperand *end[] = {&op->dst, &op->src};
        struct box box[2];
        for (int k = 0; k < 2; k++) {
            if (end[k]->type != 1)
                return fail(hipErrorNotSupported);
            size_t pitch = end[k]->op.ptr.rowLength ? end[k]->op.ptr.rowLength : width;
            size_t rows = end[k]->op.ptr.layerHeight ? end[k]->op.ptr.layerHeight : height;
            box[k] = (struct box){end[k]->op.ptr.ptr, pitch, pitch * rows};
        }
        struct copy copy = {box[0], box[1], width, height, op->extent.depth};
        hipError_t error = copy_box(&copy, hipMemcpyDefault, stream, ASYNC);
        if (error)
            return error;
    }
    return hipSuccess;
}

static hipError_t launch_all(hipLaunchParams *launches, int count) {
    for (int i = 0; i < count; i++) {
        hipLaunchParams *each = &launches[i];
        hipError_t error = impl_hipLaunchKernel(each->func, each->gridDim, each->blockDim,
                                                each->args, each->sharedMem, each->stream);
        if (error)
            return error;
    }
    return hipSuccess;
}
hipError_t impl_hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launches, int count,
                                                   unsigned flags) {
    (void)flags;
    return launch_all(launches, count);
}
hipError_t impl_hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launches, int count,
                                                      unsigned flags) {
    (void)flags;
    return launch_all(launches, count);
}
hipError_t impl_hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams *launches,
                                                            unsigned count, unsigned flags) {
    (void)flags;
    for (unsigned i = 0; i < count; i++) {
        hipFunctionLaunchParams *each = &launches[i];
        hipError_t error = impl_hipModuleLaunchKernel(
            each->function, each->gridDimX, each->gridDimY, each->gridDimZ, each->blockDimX,
            each->blockDimY, each->blockDimZ, each->sharedMemBytes, each->hStream,
            each->kernelParams, NULL);
        if (error)
            return error;
    }
    return hipSuccess;
}

hipError_t impl_hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption *options,
                                   void **values, unsigned count, hipLibraryOption *more,
                                   void **more_values, unsigned more_count) {
    (void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
    return impl_hipModuleLoadData((hipModule_t *)library, code);
}
hipError_t impl_hipLibraryUnload(hipLibrary_t library) {
    return impl_hipModuleUnload((hipModule_t)library);
}
hipError_t impl_hipLibraryGetKernel(hipKernel_t *kernel, hipLibrary_t library, const char *name) {
    return impl_hipModuleGetFunction((hipFunction_t *)kernel, (hipModule_t)library, name);
}
hipError_t impl_hipKernelGetFunction(hipFunction_t *function, hipKernel_t kernel) {
    if (!function || !kernel)
        return fail(hipErrorInvalidValue);
    *function = (hipFunction_t)kernel;
    return hipSuccess;
}
