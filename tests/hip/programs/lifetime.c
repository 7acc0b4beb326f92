// Memory is given back while work that uses it is on its way. hipFree, hipHostFree and
// hipHostUnregister of clr wait for that work, which no document promises: bytes do not show it.
#include "program.h"
#include <stdlib.h>
#include <sys/mman.h>

static void *pages(void) {
    return mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

// A local constant, registered for the upload; its scope ends while the stream is far behind.
static void local_constant(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *constant = pages(), *in = device_words(WORDS), *out = device_words(WORDS);
    OK(hipHostRegister(constant, BYTES, hipHostRegisterDefault));
    busy(stream, 4000);
    set_words(constant, 8);
    upload(stream, in, constant);
    if (fixed)
        drain(stream);
    OK(hipHostUnregister(constant));
    pass(stream, in, out);
    print_device("out", stream, out, WORDS);
}

static void pinned_array(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *start = pinned_words(WORDS), *in = device_words(WORDS), *out = device_words(WORDS);
    set_words(start, 8);
    busy(stream, 4000);
    upload(stream, in, start);
    pass(stream, in, out);
    if (fixed)
        drain(stream);
    OK(hipHostFree(start));
    print_device("out", stream, out, WORDS);
}

// Plain hipFree of a pool's pointer: ROCm 7 does not wait any more.
static void pool_pointer(bool fixed) {
    hipStream_t owner = new_stream(), user = new_stream(), next = new_stream();
    hipEvent_t made = new_event();
    uint32_t *block, *again;
    OK(hipMallocAsync((void **)&block, BYTES, owner));
    fill(owner, block, 1);
    record(made, owner);
    wait_for(user, made);
    busy(user, 4000);
    add(user, block, 1);
    if (fixed)
        drain(user);
    OK(hipFree(block));
    OK(hipMallocAsync((void **)&again, BYTES, next));
    OK(hipMemsetAsync(again, 3, BYTES, next));
    print_device("again", next, again, WORDS);
}

// The pool has the block back, while a copy in another stream still reads it.
static void output_freed(bool fixed) {
    hipStream_t compute = new_stream(), copies = new_stream();
    hipEvent_t made = new_event(), copied = new_event();
    uint32_t *host = pinned_words(WORDS), *block, *again;
    OK(hipMallocAsync((void **)&block, BYTES, compute));
    fill(compute, block, 1);
    record(made, compute);
    wait_for(copies, made);
    busy(copies, 8000);
    download(copies, host, block);
    if (fixed) {
        record(copied, copies);
        wait_for(compute, copied);
    }
    OK(hipFreeAsync(block, compute));
    OK(hipMallocAsync((void **)&again, BYTES, compute));
    fill(compute, again, 2);
    drain(copies);
    print_words("output", host, WORDS);
}

// free() of what a copy will write is no call of HIP. Who gets the memory next loses its bytes.
static void destination_freed(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *in = device_words(WORDS), *host = malloc(BYTES);
    OK(hipHostRegister(host, BYTES, hipHostRegisterDefault));
    fill(stream, in, 8);
    busy(stream, 4000);
    download(stream, host, in);
    if (fixed)
        drain(stream);
    free(host);
    uint32_t *next = malloc(BYTES);
    set_words(next, 1);
    if (!fixed)
        drain(stream);
    print_words("next", next, WORDS);
}

// Work issued behind the free: no order can make that right.
static void used_after_free(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *block, *again;
    OK(hipMallocAsync((void **)&block, BYTES, stream));
    fill(stream, block, 1);
    if (fixed)
        add(stream, block, 1);
    OK(hipFreeAsync(block, stream));
    if (!fixed)
        add(stream, block, 1);
    OK(hipMallocAsync((void **)&again, BYTES, stream));
    fill(stream, again, 2);
    print_device("again", stream, again, WORDS);
}

const struct scenario scenarios[] = {
    {"opencv-local-constants", local_constant},
    {"hecbench-free-before-wait", pinned_array},
    {"kokkos-free-no-sync", pool_pointer},
    {"lead-vllm-29623", output_freed},
    {"destination-freed", destination_freed},
    {"used-after-free", used_after_free},
    {NULL, NULL},
};
