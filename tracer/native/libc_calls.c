#include "libc_calls.h"
#include <dlfcn.h>

_Atomic(void *) libc_found[LIBC_CALL_COUNT];
static const char *const names[LIBC_CALL_COUNT] = {
#define NAME(name) #name,
    LIBC_CALLS(NAME)
#undef NAME
};

void *libc_find(enum libc_call call) {
    void *found = dlsym(RTLD_NEXT, names[call]);
    atomic_store(&libc_found[call], found);
    return found;
}

__attribute__((constructor)) static void find_all(void) {
    for (unsigned call = 0; call < LIBC_CALL_COUNT; call++)
        libc_find((enum libc_call)call);
}
