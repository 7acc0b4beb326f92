// What a kernel's C++ types say of its parameters, as far as its mangled name tells them.
#pragma once
#include <stdint.h>

enum { KERNEL_TYPES = 64 };

// Bit i: parameter i is a pointer to const, so that what it points to is only read. Of the first 64
// of them, up to the first that is a pack or cannot be read; `told` is how many that are (of all:
// `whole` is set). Nothing is told of a name that is no mangled function's.
struct kernel_types {
    uint64_t pointers_to_const;
    unsigned told;
    int whole;
};
struct kernel_types kernel_types_of(const char *mangled);
