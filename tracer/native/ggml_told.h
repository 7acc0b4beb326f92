// Tables of ggml's objects and the rows that they become, for ggml_handles.c and ggml_buffers.c.
#pragma once
#include "ggml_handles.h"
#include <stdlib.h>
#include <string.h>

#define TABLE(type, name, count)                                                                   \
    static struct type name##_entries[count];                                                      \
    static const struct handles name = {name##_entries, sizeof(struct type), count}

static inline bool told(const struct handle *handle) {
    return atomic_load_explicit(&handle->told, memory_order_relaxed) == process_epoch();
}

static inline void set_told(struct handle *handle, bool success) {
    if (success)
        atomic_store_explicit(&handle->told, process_epoch(), memory_order_relaxed);
}

static inline void copy_name(char *to, const char *from) {
    size_t n = from ? strnlen(from, 63) : 0;
    memcpy(to, from, n);
    to[n] = 0;
}

// "Vulkan1" and "CUDA1" are device 1; "CPU" has no ordinal.
static inline int32_t ordinal_in(const char *name) {
    size_t end = strlen(name), start = end;
    while (start > 0 && name[start - 1] >= '0' && name[start - 1] <= '9')
        start--;
    return start < end && start > 0 ? atoi(name + start) : -1;
}
