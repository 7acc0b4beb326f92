// What the generated wrappers (hip_wrappers.c) are made of: HIP's own part of each call, in the
// words of api_call.h.
#pragma once
#include "api_blocks.h"
#include "api_call.h"
#include "api_executable.h"
#include "api_host_function.h"
#include "api_roles.h"
#include "hip.h"
#include "hip_graph.h"
#include "hip_more.h"
#include "kernel_registry.h"

#define EXPORT __attribute__((visibility("default")))
#define REAL_HIP(name, returns, types) ((returns(*) types)hip_function(HIP_##name))

#define HIP_ENTER(name, kind)                                                                      \
    API_CALL(call);                                                                                \
    struct api_call *c = &call;                                                                    \
    hip_enter(c, CALL_##name, kind, __builtin_return_address(0), OP_FRAME())
#define HIP_LOOK(kind, handle)                                                                     \
    api_look(KIND_##kind, handle, __builtin_return_address(0), OP_FRAME())
#define HIP_OUT() api_out(c)
#define HIP_LEFT_OUT() op_skipped(&c->op)
#define HIP_BACK() op_back(&c->op)
#define HIP_LEAVE()                                                                                \
    if (c->op.thread)                                                                              \
    api_leave_call(c, rc, CALL_hipEventRecord)

void hip_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller, void *frame);

#define HIP_LEGACY ((void *)0)
#define HIP_PER_THREAD ((void *)API_PER_THREAD)
// The default stream of programs that were compiled so is the thread's own.
#define SPT(stream) ((stream) ? (stream) : HIP_PER_THREAD)

// Memory
void hip_allocated_3d(struct api_call *call, const void *pitched, struct api_extent extent);

// Copies and fills
void hip_copy_param_2d(struct api_call *call, const void *parameters, void *stream,
                       enum api_waits waits);
void hip_copy_3d(struct api_call *call, const void *parameters, void *stream, enum api_waits waits);
void hip_copy_drv_3d(struct api_call *call, const void *parameters, void *stream,
                     enum api_waits waits);
void hip_copy_to_symbol(struct api_call *call, const void *symbol, size_t offset, const void *from,
                        size_t size, void *stream, enum api_waits waits);
void hip_copy_from_symbol(struct api_call *call, void *to, const void *symbol, size_t offset,
                          size_t size, void *stream, enum api_waits waits);
void hip_set_3d(struct api_call *call, struct api_pitched to, struct api_extent extent,
                void *stream, enum api_waits waits);

// Streams and events
void hip_event_made(struct api_call *call, void *event, unsigned flags);

// Kernels
void hip_launches(struct api_call *call, const void *stub, void **arguments, void *stream);
void hip_launches_function(struct api_call *call, const void *function, void **arguments,
                           void **extra, void *stream);
void hip_launches_config(struct api_call *call, const void *config, const void *stub,
                         void **arguments);
void hip_launches_driver_config(struct api_call *call, const void *config, const void *function,
                                void **arguments, void **extra);
void hip_launch_events(struct api_call *call, void *start, void *stop);
void hip_configured(int rc, void *stream);
void hip_launches_configured(struct api_call *call, const void *stub);

// Code
void hip_fat_binary(void **handle, const void *data);
void hip_fat_binary_gone(void **handle);
void hip_function_registered(void **handle, const void *stub, const char *name);
void hip_module(int rc, void **module, const void *image);
void hip_module_file(int rc, void **module, const char *path);
void hip_module_gone(int rc, void *module);
void hip_module_function(int rc, void **function, void *module, const char *name);
void hip_global(int rc, void **address, const size_t *bytes);
void hip_symbol(int rc, void **address, const void *symbol);
// Within a call; null: it has none.
char *hip_symbol_address(struct api_call *call, const void *symbol);
void hip_proc_address(int rc, const char *name, void **address);
