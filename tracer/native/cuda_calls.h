// What the generated wrappers (cuda_wrappers.c) are made of: CUDA's own part of each call, in the
// words of api_call.h and api_roles.h.
#pragma once
#include "api_blocks.h"
#include "api_executable.h"
#include "api_host_function.h"
#include "api_roles.h"
#include "cuda.h"
#include "cuda_graph.h"
#include "cuda_times.h"

#define EXPORT __attribute__((visibility("default")))
#define REAL_CUDA(name, returns, types) ((returns(*) types)cuda_function(CUDA_##name))

#define CUDA_ENTER(name, kind)                                                                     \
    API_CALL(call);                                                                                \
    struct api_call *c = &call;                                                                    \
    cuda_enter(c, CALL_##name, kind, __builtin_return_address(0), OP_FRAME())
#define CUDA_LOOK(kind, handle)                                                                    \
    api_look(KIND_##kind, handle, __builtin_return_address(0), OP_FRAME())
#define CUDA_OUT() api_out(c)
#define CUDA_LEFT_OUT() op_skipped(&c->op)
#define CUDA_BACK() op_back(&c->op)
#define CUDA_LEAVE()                                                                               \
    if (c->op.thread)                                                                              \
    api_leave_call(c, rc, CALL_cuEventRecord)

void cuda_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
                void *frame);

#define LEGACY ((void *)0)
#define CUDA_PER_THREAD ((void *)API_PER_THREAD)
// The default stream of programs that were compiled so is the thread's own.
#define PTS(stream) ((stream) ? (stream) : CUDA_PER_THREAD)

// Devices, which CUDA has as contexts
void cuda_context_set(int rc, const void *context);
void cuda_context_goes(struct api_call *call, const void *context);
int cuda_device_of(struct api_call *call, const void *context);
void cuda_on_context(struct api_call *call, const void *context);
void cuda_on_device(struct api_call *call, int device);

// Events
void cuda_event_made(struct api_call *call, void *event);

// Copies
void cuda_copy_peer(struct api_call *call, void *to, const void *to_context, const void *from,
                    const void *from_context, size_t size, void *stream, enum api_waits waits);
void cuda_copy_2d(struct api_call *call, const void *parameters, void *stream,
                  enum api_waits waits);
void cuda_copy_3d(struct api_call *call, const void *parameters, void *stream,
                  enum api_waits waits);
void cuda_copy_3d_peer(struct api_call *call, const void *parameters, void *stream,
                       enum api_waits waits);

// Kernels
void cuda_launches(struct api_call *call, void *function, void **arguments, void **extra,
                   void *stream);
void cuda_launches_config(struct api_call *call, const void *config, void *function,
                          void **arguments, void **extra, bool per_thread);
void cuda_launches_first(struct api_call *call, const void *launches, unsigned count);
void cuda_launched_others(struct api_call *call, const void *launches, unsigned count);
void cuda_code_gone(int rc, void *handle);
void cuda_code_loaded(int rc, void *const *loaded, const void *image);
// Hash of the copied image that a function or kernel is of; 0: it is of none.
uint64_t cuda_code_of(void *function);
void cuda_code_file(int rc, const char *path);
void cuda_global(int rc, void **address, const size_t *bytes);
