// CUDA's ways to launch a kernel, and what the driver says of its arguments.
#include "api_kernel.h"
#include "cuda_calls.h"
#include <string.h>

enum { INVALID_VALUE = 1, ARGUMENTS_MOST = 1024 };

typedef int (*name_asker)(const char **, void *);
typedef int (*argument_asker)(void *, size_t, size_t *, size_t *);

// Of a function and of a kernel of a library, which both can be launched, each is asked its own
// way.
static const char *ask_name(void *function) {
    static const char *const ways[] = {"cuFuncGetName", "cuKernelGetName"};
    for (unsigned i = 0; i < 2; i++) {
        const char *name = NULL;
        name_asker ask = (name_asker)cuda_unrecorded(ways[i]);
        if (ask && ask(&name, function) == 0 && name)
            return name;
    }
    return NULL;
}

// How many; -1: not known. After the last the driver has none, and says so.
static int ask_arguments(void *function, struct kernel_argument *argument) {
    static const char *const ways[] = {"cuFuncGetParamInfo", "cuKernelGetParamInfo"};
    for (unsigned i = 0; i < 2; i++) {
        argument_asker ask = (argument_asker)cuda_unrecorded(ways[i]);
        size_t offset, size, count = 0;
        int rc = 0;
        while (ask && count < ARGUMENTS_MOST && (rc = ask(function, count, &offset, &size)) == 0 &&
               offset <= UINT16_MAX && size <= UINT16_MAX - offset)
            argument[count++] = (struct kernel_argument){(uint16_t)offset, (uint16_t)size};
        if (ask && rc == INVALID_VALUE)
            return (int)count;
    }
    return -1;
}

static struct kernel *driver_kernel(void *function) {
    struct kernel *known = kernel_of_function(function);
    if (known && !atomic_load_explicit(&known->stale, memory_order_acquire))
        return known;
    struct kernel_argument argument[ARGUMENTS_MOST];
    const char *name = ask_name(function);
    int count = ask_arguments(function, argument);
    return function_described(function, name ? name : "kernel", cuda_code_of(function),
                              count < 0 ? NULL : argument, count < 0 ? 0 : (unsigned)count);
}

// `extra`: pairs of a tag and a value up to the end's tag.
enum { CUDA_EXTRA_END = 0, CUDA_EXTRA_POINTER = 1, CUDA_EXTRA_SIZE = 2, CUDA_EXTRA_MOST = 8 };

void cuda_launches(struct api_call *call, void *function, void **arguments, void **extra,
                   void *stream) {
    const void *packed = NULL;
    size_t size = 0;
    for (unsigned i = 0; extra && i < CUDA_EXTRA_MOST && extra[i] != (void *)CUDA_EXTRA_END;
         i += 2) {
        if (extra[i] == (void *)CUDA_EXTRA_POINTER)
            packed = extra[i + 1];
        else if (extra[i] == (void *)CUDA_EXTRA_SIZE && extra[i + 1])
            memcpy(&size, extra[i + 1], sizeof size);
    }
    api_on_stream(call, stream);
    api_launches(call, driver_kernel(function), arguments, packed, size);
}

struct attribute;
struct driver_launch { // CUlaunchConfig
    unsigned grid[3], block[3], shared;
    void *stream;
    const struct attribute *attributes;
    unsigned count;
};
static_assert(sizeof(struct driver_launch) == 56, "CUlaunchConfig");

struct attribute { // CUlaunchAttribute
    int what;
    int spare;
    union {
        int number;
        void *event;
        char all[64];
    };
};
static_assert(sizeof(struct attribute) == 72, "CUlaunchAttribute");
enum { SERIALIZED_BY_PROGRAM = 6, EVENT_OF_TRIGGER = 7, EVENT_OF_START = 12 };

// Whether the kernel, or one that waits for its trigger's event, comes after the end of the one it
// depends on is its code's to say. An event of its start stands for no end, whatever is behind it.
static void order_by_attributes(struct api_call *call, const struct driver_launch *launch) {
    for (unsigned i = 0; launch->attributes && i < launch->count; i++) {
        const struct attribute *attribute = &launch->attributes[i];
        switch (attribute->what) {
        case SERIALIZED_BY_PROGRAM:
            call->op.record.flags |= attribute->number ? FLAG_DEPENDENT : 0;
            break;
        case EVENT_OF_TRIGGER:
            call->also_records[0] =
                (struct api_record){attribute->event, FLAG_DEPENDENT | FLAG_IMPLIED};
            break;
        case EVENT_OF_START:
            call->also_records[1] =
                (struct api_record){attribute->event, FLAG_PROGRAMMATIC | FLAG_IMPLIED};
            break;
        default:
            break;
        }
    }
}

void cuda_launches_config(struct api_call *call, const void *config, void *function,
                          void **arguments, void **extra, bool per_thread) {
    const struct driver_launch *launch = config;
    void *stream = launch ? launch->stream : NULL;
    cuda_launches(call, function, arguments, extra, per_thread ? PTS(stream) : stream);
    if (launch)
        order_by_attributes(call, launch);
}

struct launch { // CUDA_LAUNCH_PARAMS
    void *function;
    unsigned grid[3], block[3], shared;
    void *stream;
    void **arguments;
};

static void launch_one(struct api_call *call, const void *of, unsigned at) {
    const struct launch *launch = (const struct launch *)of + at;
    cuda_launches(call, launch->function, launch->arguments, NULL, launch->stream);
}

void cuda_launches_first(struct api_call *call, const void *launches, unsigned count) {
    if (count)
        launch_one(call, launches, 0);
}

void cuda_launched_others(struct api_call *call, const void *launches, unsigned count) {
    api_launched_others(call, launches, count, launch_one);
}

void cuda_global(int rc, void **address, const size_t *bytes) {
    if (rc == 0 && address)
        api_global(*address, bytes ? *bytes : 0, false);
}
