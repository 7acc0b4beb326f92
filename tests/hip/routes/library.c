// A library that is linked with HIP, as extension modules are.
#include "calls.h"

int of_library(void);
int of_library(void) {
    static const struct calls calls = {
#define LINKED(name, returns, types) name,
        CALLS(LINKED)
#undef LINKED
    };
    return make_calls(&calls);
}
