// HIP's calls of several operations and kernels by other names: what the wrappers of
// hip_roles_more.txt say beyond api_roles.h.
#pragma once
#include "api_call.h"

// Copies
void hip_copy_3d_peer(struct api_call *call, const void *parameters, void *stream,
                      enum api_waits waits);

// Launches on several devices: the first one before the call, the others after it
void hip_launches_first(struct api_call *call, const void *launches, unsigned count);
void hip_launched_others(struct api_call *call, const void *launches, unsigned count);
void hip_launches_first_function(struct api_call *call, const void *launches, unsigned count);
void hip_launched_other_functions(struct api_call *call, const void *launches, unsigned count);

// Kernels
void hip_library_kernels(int rc, void **kernels, unsigned count, void *library);
void hip_kernel_function(int rc, void **function, const void *kernel);
void hip_symbol_function(int rc, void **function, const void *symbol);
