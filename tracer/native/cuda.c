#include "cuda.h"
#include "record.h"

_Atomic(void *) cuda_real[CUDA_COUNT];

CUDA_FUNCTIONS(LIBRARY_DECLARE)
const struct library_entry cuda_entries[CUDA_COUNT] = {CUDA_FUNCTIONS(LIBRARY_ENTRY)};

static int not_found(void) { return CUDA_ERROR_NOT_FOUND; }

struct library cuda_library = {
    .files = {"libcuda.so"},
    .prefixes = {"cu"},
    .entries = cuda_entries,
    .real = cuda_real,
    .count = CUDA_COUNT,
    .missing = (void *)not_found,
    .bit = OTHER_CUDA,
};

// By address: which version of a function is meant depends on what the asker was compiled with.
void *cuda_instead_of(void *address) {
    static _Atomic bool all;
    for (unsigned i = 0; i < CUDA_COUNT && !atomic_load(&all); i++)
        if (!atomic_load(&cuda_real[i]))
            library_look_up(&cuda_library, i);
    atomic_store(&all, true); // not before: another thread would miss what is not looked up yet
    for (unsigned i = 0; i < CUDA_COUNT; i++)
        if (atomic_load_explicit(&cuda_real[i], memory_order_acquire) == address)
            return cuda_entries[i].wrapper;
    return address;
}
