// cuGetProcAddress: the runtime's way to the driver's functions. It is recorded nowhere; what it
// finds is replaced.
#include "cuda_calls.h"

static int replaced(int rc, void **found) {
    if (rc == 0 && found && *found)
        *found = cuda_instead_of(*found);
    return rc;
}

EXPORT int cuGetProcAddress_v2(const char *symbol, void **found, int version, uint64_t flags,
                               void *status) {
    cuda_times_asked(version);
    return replaced(
        REAL_CUDA(cuGetProcAddress_v2, int, (const char *, void **, int, uint64_t, void *))(
            symbol, found, version, flags, status),
        found);
}

EXPORT int cuGetProcAddress(const char *symbol, void **found, int version, uint64_t flags) {
    cuda_times_asked(version);
    return replaced(REAL_CUDA(cuGetProcAddress, int, (const char *, void **, int, uint64_t))(
                        symbol, found, version, flags),
                    found);
}
