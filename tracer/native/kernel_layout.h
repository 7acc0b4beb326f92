// Where a kernel's arguments hold pointers, from the metadata of its code object.
#pragma once
#include "kernel_index.h"

struct kernel_argument {
    uint16_t offset, size; // in the kernarg segment, which is what `extra` of a launch holds
};

struct kernel_pointer {
    uint16_t argument;
    uint16_t offset_in_argument;
    uint8_t mode;    // enum mode; of several targets, what covers all of them
    uint8_t guessed; // an aligned word of an argument passed by value: maybe none
    uint16_t word;   // where it lies among all arguments
};

struct kernel_layout {
    uint64_t hash; // of the kernel's metadata; equal for the same kernel of the same build
    const char *name;
    const struct kernel_argument *argument; // explicit ones: what the runtime adds is left out
    uint16_t arguments, pointers;
    uint8_t why;                     // enum code_state: CODE_READ where it is known
    bool known;                      // false: there is no argument and no pointer here
    struct kernel_pointer pointer[]; // by argument, then by offset
};

// An image that the program registered or loaded. The names in it are found by an index that is
// made when the first of its kernels is asked for.
struct code_image {
    struct bytes image; // size 0: as far as the memory behind it can be read
    enum code_state state;
    struct code_metadata code;
    struct kernel_index index[CODE_TARGETS]; // of each target
};

// All of these under the registry's lock.
// Reads an image now, so that its bytes may go.
void code_image_read(struct code_image *image, const struct architectures *used, bool keep);
void code_image_forget(struct code_image *image);
// The layout of the kernel of this (mangled) name, kept for the life of the process. Not known: a
// layout that says so. Null: no memory.
const struct kernel_layout *kernel_layout_find(struct code_image *image, const char *name);
// Of a kernel that the driver describes by its arguments' places. Null: no memory.
const struct kernel_layout *
kernel_layout_of_sizes(const char *name, const struct kernel_argument *argument, unsigned count);
