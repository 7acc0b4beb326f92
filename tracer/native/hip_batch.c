// HIP's calls that launch several kernels: an op each.
#include "hip_calls.h"

struct launch { // hipLaunchParams
    const void *stub;
    struct hip_dim3 grid, block;
    void **arguments;
    size_t shared;
    void *stream;
};
struct function_launch { // hipFunctionLaunchParams
    const void *function;
    unsigned grid[3], block[3], shared;
    void *stream;
    void **arguments;
};

static void launch_one(struct api_call *call, const void *of, unsigned at) {
    const struct launch *launch = (const struct launch *)of + at;
    hip_launches(call, launch->stub, launch->arguments, launch->stream);
}

static void launch_function(struct api_call *call, const void *of, unsigned at) {
    const struct function_launch *launch = (const struct function_launch *)of + at;
    hip_launches_function(call, launch->function, launch->arguments, NULL, launch->stream);
}

void hip_launches_first(struct api_call *call, const void *launches, unsigned count) {
    if (count)
        launch_one(call, launches, 0);
}

void hip_launched_others(struct api_call *call, const void *launches, unsigned count) {
    api_launched_others(call, launches, count, launch_one);
}

void hip_launches_first_function(struct api_call *call, const void *launches, unsigned count) {
    if (count)
        launch_function(call, launches, 0);
}

void hip_launched_other_functions(struct api_call *call, const void *launches, unsigned count) {
    api_launched_others(call, launches, count, launch_function);
}
