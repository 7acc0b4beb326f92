// A CUDA driver without a GPU: libcuda.so.1 with the real ABI, for tests.
//
// It is a thin layer of CUDA's names over the HIP stand-in of tests/hip/standin, whose streams,
// memory, events, captures and graphs it is made of (standin.c there says how). same.txt lists the
// functions that differ from HIP's in their names alone; the C files here have the others.
//
// What orders what, what waits and what does not, follows CUDA as it was measured on an H200
// (driver 580, CUDA 13.0) and as its documents say: copies from pageable memory are read within the
// call, those to it are waited for, the memsets of the synchronous names are not unless they fill
// pinned memory, copies between host memory are waited for, all copies are done in the stream that
// they are given, frees wait for every stream of the device unless a pool gave the memory, streams
// are destroyed at once and go when their work has, launches of one executable follow each other.
//
// What a test on it proves: the calls reach the recorder by the real ways (names, dlsym,
// cuGetProcAddress by version and by default stream), from programs and from NVIDIA's own runtime,
// with real handles, addresses and return codes; and a program whose calls do not order two
// accesses is seen to corrupt real bytes, here, by delays, while its repaired form never does. What
// it does not prove: that any driver on any GPU behaves so, nor anything about time, the visibility
// of memory, real code, or kernels without a body, which do nothing here.
//
// Simplified, besides what standin.c of HIP's says: a copy from pageable memory of more than 2 MiB
// waits for itself too, not only for what was before it; the contexts of a device
// share its null stream and all that it has; work of a thread without a context goes to device 0; a
// capture is invalidated by a synchronous copy whatever its mode; cuMemFreeAsync of memory that no
// pool gave waits; executables are not kept apart by device; a dependent launch begins when the
// kernel before it has ended; errors of HIP's that CUDA's driver
// does not have keep their number. No export tables, arrays, textures, external memory or
// semaphores, green contexts, multicast: what is not there returns CUDA_ERROR_NOT_SUPPORTED.
//
// Environment: as the HIP stand-in's, with STANDIN_VERSION what cuDriverGetVersion says (13000),
// and
//   STANDIN_ASKED       a file that gets a line for each question to cuGetProcAddress, "NAME
//   VERSION
//                       FLAGS", with "none" behind it if there is none, and "table ID" for each to
//                       cuGetExportTable
#include "driver.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult impl_cuInit(unsigned flags) {
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    return standin_settings.devices ? CUDA_SUCCESS : hipErrorNoDevice;
}
CUresult impl_cuDriverGetVersion(int *version) {
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = standin_settings.version;
    return CUDA_SUCCESS;
}

// --- Errors ---

static const struct error {
    CUresult number;
    const char *name, *text;
} errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {hipErrorOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {hipErrorNoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
};
static CUresult look_up(CUresult error, const char **text, bool name) {
    *text = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            *text = name ? errors[i].name : errors[i].text;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult impl_cuGetErrorName(CUresult error, const char **name) {
    return look_up(error, name, true);
}
CUresult impl_cuGetErrorString(CUresult error, const char **text) {
    return look_up(error, text, false);
}

// --- Asking for functions ---

// Each export: the name it is asked by, from which version on, and for which default stream.
extern const struct choice {
    const char *name;
    void *address;
    int since, own_stream;
} standin_choices[];

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    const char *path = getenv("STANDIN_ASKED");
    FILE *file = path && *path ? fopen(path, "a") : NULL;
    va_list values;
    if (!file)
        return;
    va_start(values, format);
    vfprintf(file, format, values);
    va_end(values);
    fclose(file);
}

// The newest of that version; where there is one for the wished default stream, that.
static const struct choice *choose(const char *name, int version, bool own_stream, bool *known) {
    const struct choice *best = NULL;
    for (const struct choice *c = standin_choices; c->name; c++) {
        if (strcmp(c->name, name) != 0 || (c->own_stream && !own_stream))
            continue;
        *known = true;
        bool better = !best || c->own_stream > best->own_stream ||
                      (c->own_stream == best->own_stream && c->since > best->since);
        if (c->since <= version && better)
            best = c;
    }
    return best;
}

CUresult impl_cuGetProcAddress_v2(const char *name, void **found, int version, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *status) {
    bool known = false;
    if (!name || !found)
        return CUDA_ERROR_INVALID_VALUE;
    const struct choice *choice =
        choose(name, version, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &known);
    *found = choice ? choice->address : NULL;
    if (status)
        *status = choice  ? HIP_GET_PROC_ADDRESS_SUCCESS
                  : known ? HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                          : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    note("%s %d %llu%s\n", name, version, (unsigned long long)flags, choice ? "" : " none");
    return choice ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult impl_cuGetProcAddress(const char *name, void **found, int version, cuuint64_t flags) {
    return impl_cuGetProcAddress_v2(name, found, version, flags, NULL);
}

// NVIDIA's runtime asks for tables of functions that no document has. There is none here.
CUresult impl_cuGetExportTable(const void **table, const CUuuid *id) {
    char text[33], *end = text;
    for (int i = 0; i < 16; i++)
        end += sprintf(end, "%02x", (unsigned char)id->bytes[i]);
    note("table %s\n", text);
    *table = NULL;
    return CUDA_ERROR_NOT_FOUND;
}
