// By what a profiler in the program begins to use CUPTI.
#pragma once
#include "library.h"

// X(name, table, index)
#define CUPTI_FUNCTIONS(X)                                                                         \
    X(cuptiSubscribe, 0, 0)                                                                        \
    X(cuptiSubscribe_v2, 0, 0)                                                                     \
    X(cuptiActivityRegisterCallbacks, 0, 0)                                                        \
    X(cuptiActivityRegisterCallbacks_v2, 0, 0)

extern struct library cupti_library;
