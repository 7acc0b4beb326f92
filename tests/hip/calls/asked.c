// A program that asks for RCCL's functions by name, as ctypes does.
#include "collectives.h"
#include "program.h"
#include <dlfcn.h>
#include <stdio.h>

static void asked(bool fixed) {
    (void)fixed;
    void *library = dlopen("librccl.so.1", RTLD_NOW | RTLD_LOCAL);
    ncclResult_t (*init)(ncclComm_t *, int, const int *) = dlsym(library, "ncclCommInitAll");
    ncclResult_t (*reduce)(const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t,
                           hipStream_t) = dlsym(library, "ncclAllReduce");
    printf("unknown %p\n", dlsym(library, "ncclUnknown"));
    ncclComm_t comm;
    hipStream_t stream = new_stream();
    uint32_t *data = device_words(WORDS);
    fill(stream, data, 1);
    OK((hipError_t)init(&comm, 1, NULL));
    OK((hipError_t)reduce(data, data, WORDS, ncclInt32, ncclSum, comm, stream));
    print_device("data", stream, data, WORDS);
}

// Without the library there is no such function.
static void absent(bool fixed) {
    (void)fixed;
    printf("found %p\n", dlsym(RTLD_DEFAULT, "ncclAllReduce"));
    fill(new_stream(), device_words(WORDS), 1);
}

const struct scenario scenarios[] = {{"asked", asked}, {"absent", absent}, {NULL, NULL}};
