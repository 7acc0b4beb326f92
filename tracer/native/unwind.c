#include "unwind.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static struct unwinder bound;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void bind(void) {
    void *libgcc = dlopen("libgcc_s.so.1", RTLD_NOW);
    if (!libgcc)
        return;
    bound.address = (uintptr_t(*)(struct _Unwind_Context *))dlsym(libgcc, "_Unwind_GetIP");
    bound.above = (uintptr_t(*)(struct _Unwind_Context *))dlsym(libgcc, "_Unwind_GetCFA");
    bound.function =
        (uintptr_t(*)(struct _Unwind_Context *))dlsym(libgcc, "_Unwind_GetRegionStart");
    bound.walk = (int (*)(unwind_step, void *))dlsym(libgcc, "_Unwind_Backtrace");
    *(void **)&bound.personality = dlsym(libgcc, "__gcc_personality_v0");
    bound.resume = (void (*)(void *))dlsym(libgcc, "_Unwind_Resume");
}

const struct unwinder *unwinder(void) {
    pthread_once(&once, bind);
    return &bound;
}

// The compiler refers to these two where an exception of the program passes a hook, on its way to
// op_abandon and after it. They are ours alone (hidden) and hand on to libgcc.
__attribute__((visibility("hidden"))) void _Unwind_Resume(void *exception) {
    if (unwinder()->resume)
        unwinder()->resume(exception);
    abort();
}

enum { CONTINUE_UNWIND = 8 };

__attribute__((visibility("hidden"))) int __gcc_personality_v0(int version, int actions,
                                                               uint64_t kind, void *exception,
                                                               struct _Unwind_Context *context) {
    if (!unwinder()->personality)
        return CONTINUE_UNWIND; // without op_abandon
    return unwinder()->personality(version, actions, kind, exception, context);
}
