#include "unwind.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

typedef uintptr_t (*ask)(struct _Unwind_Context *context);
static int (*walk_frames)(unwind_step step, void *data);
static ask address_of, function_of;
static pthread_once_t bound = PTHREAD_ONCE_INIT;

static void bind_to_libgcc(void) {
    void *libgcc = dlopen("libgcc_s.so.1", RTLD_NOW);
    if (!libgcc)
        return;
    address_of = (ask)dlsym(libgcc, "_Unwind_GetIP");
    function_of = (ask)dlsym(libgcc, "_Unwind_GetRegionStart");
    if (address_of && function_of)
        walk_frames = (int (*)(unwind_step, void *))dlsym(libgcc, "_Unwind_Backtrace");
}

void unwind(unwind_step step, void *data) {
    pthread_once(&bound, bind_to_libgcc);
    if (walk_frames)
        walk_frames(step, data);
}

uintptr_t unwind_address(struct _Unwind_Context *context) { return address_of(context); }
uintptr_t unwind_function(struct _Unwind_Context *context) { return function_of(context); }
