// HIP's calls of several operations, values, other processes, kernels by other names: what the
// wrappers of hip_roles_more.txt say.
#pragma once
#include "api_call.h"

// Batches, each after the call
void hip_copied_batch(struct api_call *call, const void *to, const void *from, const size_t *sizes,
                      size_t count);
void hip_copied_3d_batch(struct api_call *call, const void *copies, size_t count);
void hip_copy_3d_peer(struct api_call *call, const void *parameters, void *stream,
                      enum api_waits waits);

// Launches on several devices: the first one before the call, the others after it
void hip_launches_first(struct api_call *call, const void *launches, unsigned count);
void hip_launched_others(struct api_call *call, const void *launches, unsigned count);
void hip_launches_first_function(struct api_call *call, const void *launches, unsigned count);
void hip_launched_other_functions(struct api_call *call, const void *launches, unsigned count);

// Values, after the call
void hip_writes_value(struct api_call *call, void *address, uint64_t value);
void hip_waits_value(struct api_call *call, void *address, uint64_t value, unsigned condition,
                     uint64_t mask);
void hip_value_batch(struct api_call *call, const void *values, unsigned count);
void hip_semaphores(struct api_call *call, enum kind kind, const void *semaphores,
                    const void *parameters, unsigned count);
// Of a node of a graph: the at-th of an array of hipStreamBatchMemOpParams.
void hip_value_op(struct api_call *call, const void *values, unsigned at);
void hip_node_semaphores(struct api_call *call, enum kind kind, const void *parameters);

// Other processes
void hip_opened(struct api_call *call, void *memory);
void hip_closes(struct api_call *call, void *memory);
void hip_event_opened(struct api_call *call, void *event);
void hip_event_shared(int rc, void *event);
void hip_pool_memory_opened(int rc, void *const *memory);
void hip_external_buffer(int rc, void *const *buffer, const void *description);
void hip_graphics_memory(int rc, void *const *memory, const size_t *size);

// Kernels
void hip_library_kernels(int rc, void **kernels, unsigned count, void *library);
void hip_kernel_function(int rc, void **function, const void *kernel);
void hip_symbol_function(int rc, void **function, const void *symbol);
