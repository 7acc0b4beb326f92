// What differs between versions of HIP.
#pragma once
#include "code_object.h"

int hip_major(void);

// Where an end of a driver's copy begins: which of its pointers counts says its hipMemoryType, and
// who is not null where that says nothing. Null: an array.
void *hip_end_base(int memory_type, void *host, void *device, void *array);

// Whether a hipGraphNodeType is this one, in the numbers since HIP 5.5.
bool hip_node_type_is(int type, int newer);

// Of all devices; false: one does not say.
bool hip_architectures(struct architectures *all);
