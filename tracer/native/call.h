// The functions this recorder stands in for, and those it asks for facts. One list, used for names,
// numbers and addresses.
// Source: ggml/include/{ggml,ggml-alloc,ggml-backend}.h and include/llama.h of llama.cpp (MIT).
#pragma once
#include "cuda_functions.h"
#include "hip_functions.h"
#include "rccl_functions.h"

// Interposed by name: each has a definition in ggml_*_hooks.c or llama_hooks.c. Those before the
// scheduler's pass a call on to a slot (wrapper.c).
#define INTERPOSED(X)                                                                              \
    X(ggml_backend_tensor_set)                                                                     \
    X(ggml_backend_tensor_get)                                                                     \
    X(ggml_backend_tensor_set_2d)                                                                  \
    X(ggml_backend_tensor_get_2d)                                                                  \
    X(ggml_backend_tensor_memset)                                                                  \
    X(ggml_backend_tensor_copy)                                                                    \
    X(ggml_backend_tensor_set_async)                                                               \
    X(ggml_backend_tensor_get_async)                                                               \
    X(ggml_backend_tensor_set_2d_async)                                                            \
    X(ggml_backend_tensor_get_2d_async)                                                            \
    X(ggml_backend_tensor_copy_async)                                                              \
    X(ggml_backend_buft_alloc_buffer)                                                              \
    X(ggml_backend_cpu_buffer_from_ptr)                                                            \
    X(ggml_backend_dev_buffer_from_host_ptr)                                                       \
    X(ggml_backend_buffer_free)                                                                    \
    X(ggml_backend_buffer_clear)                                                                   \
    X(ggml_backend_buffer_set_usage)                                                               \
    X(ggml_backend_dev_init)                                                                       \
    X(ggml_backend_free)                                                                           \
    X(ggml_backend_synchronize)                                                                    \
    X(ggml_backend_event_new)                                                                      \
    X(ggml_backend_event_free)                                                                     \
    X(ggml_backend_event_record)                                                                   \
    X(ggml_backend_event_wait)                                                                     \
    X(ggml_backend_event_synchronize)                                                              \
    X(ggml_backend_graph_compute)                                                                  \
    X(ggml_backend_graph_compute_async)                                                            \
    X(ggml_backend_sched_new)                                                                      \
    X(ggml_backend_sched_free)                                                                     \
    X(ggml_backend_sched_reset)                                                                    \
    X(ggml_backend_sched_alloc_graph)                                                              \
    X(ggml_backend_sched_graph_compute_async)                                                      \
    X(ggml_backend_sched_synchronize)                                                              \
    X(ggml_gallocr_alloc_graph)                                                                    \
    X(llama_decode)                                                                                \
    X(llama_encode)

// What an op can name as its function: the interposed ones (also where their slots are recorded), a
// slot that has no such function, and the recorder's own looks.
#define RECORDED_CALLS(X)                                                                          \
    INTERPOSED(X)                                                                                  \
    X(cpy_tensor_async)                                                                            \
    X(host_inputs)                                                                                 \
    X(pending_sources)                                                                             \
    X(unseen_stores)                                                                               \
    X(host_store)                                                                                  \
    X(free)                                                                                        \
    X(realloc)                                                                                     \
    X(munmap)                                                                                      \
    X(host_function)                                                                               \
    X(synctrace_host_read)                                                                         \
    X(synctrace_host_write)                                                                        \
    X(synctrace_release)                                                                           \
    X(synctrace_acquire)                                                                           \
    X(synctrace_mark)                                                                              \
    X(nvtxMark)

// Only called.
#define ASKED(X)                                                                                   \
    X(ggml_backend_buffer_get_base)                                                                \
    X(ggml_backend_buffer_get_size)                                                                \
    X(ggml_backend_buffer_get_usage)                                                               \
    X(ggml_backend_buffer_is_host)                                                                 \
    X(ggml_backend_buffer_is_multi_buffer)                                                         \
    X(ggml_backend_buffer_name)                                                                    \
    X(ggml_backend_buft_get_device)                                                                \
    X(ggml_backend_cpu_buffer_type)                                                                \
    X(ggml_backend_dev_backend_reg)                                                                \
    X(ggml_backend_dev_count)                                                                      \
    X(ggml_backend_dev_get)                                                                        \
    X(ggml_backend_get_device)                                                                     \
    X(ggml_backend_name)                                                                           \
    X(ggml_backend_reg_count)                                                                      \
    X(ggml_backend_reg_get)                                                                        \
    X(ggml_backend_sched_get_n_copies)                                                             \
    X(ggml_commit)                                                                                 \
    X(ggml_get_name)                                                                               \
    X(ggml_graph_n_nodes)                                                                          \
    X(ggml_graph_node)                                                                             \
    X(ggml_is_contiguous)                                                                          \
    X(ggml_nbytes)                                                                                 \
    X(ggml_op_name)                                                                                \
    X(ggml_tensor_overhead)                                                                        \
    X(ggml_version)

enum call {
    CALL_NONE = 0,
#define NUMBER(name) CALL_##name,
    RECORDED_CALLS(NUMBER)
#undef NUMBER
        CALL_HIP_FIRST,
    CALL_BEFORE_HIP = CALL_HIP_FIRST - 1,
#define NUMBER(name, table, index) CALL_##name,
    HIP_FUNCTIONS(NUMBER)
#undef NUMBER
        CALL_RCCL_FIRST,
    CALL_BEFORE_RCCL = CALL_RCCL_FIRST - 1,
#define NUMBER(name, table, index) CALL_##name,
    RCCL_FUNCTIONS(NUMBER)
#undef NUMBER
        CALL_CUDA_FIRST,
    CALL_BEFORE_CUDA = CALL_CUDA_FIRST - 1,
#define NUMBER(name, table, index) CALL_##name,
    CUDA_FUNCTIONS(NUMBER)
#undef NUMBER
        CALL_COUNT
};
