// Names of kernels as their source spells them.
#include <cxxabi.h>
#include <stdlib.h>

#include "engine.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT char *st_demangled(const char *name) {
    int status = 0;
    char *plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    return status == 0 ? plain : nullptr;
}

EXPORT void st_free_name(char *name) { free(name); }
