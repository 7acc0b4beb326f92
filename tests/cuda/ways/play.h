// The same few calls of the driver, however its functions were found: a stream, memory on the
// device and on the host, a copy, a record, a wait.
#pragma once
#include "cuda.h"

struct functions {
    CUresult (*create)(CUstream *, unsigned);
    CUresult (*allocate)(CUdeviceptr *, size_t);
    CUresult (*copy)(CUdeviceptr, const void *, size_t);
    CUresult (*copy_in_stream)(CUdeviceptr, const void *, size_t, CUstream);
    CUresult (*synchronize)(void);
};

static inline int play(const struct functions *driver) {
    char bytes[64] = {0};
    CUdeviceptr memory;
    CUstream stream;
    return driver->create(&stream, CU_STREAM_NON_BLOCKING) ||
           driver->allocate(&memory, sizeof bytes) || driver->copy(memory, bytes, sizeof bytes) ||
           driver->copy_in_stream(memory, bytes, sizeof bytes, NULL) ||
           driver->copy_in_stream(memory, bytes, sizeof bytes, stream) || driver->synchronize();
}
