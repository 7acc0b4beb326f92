// HIP's ways to launch a kernel.
#include "api_kernel.h"
#include "hip_calls.h"
#include <string.h>

void hip_launches(struct api_call *call, const void *stub, void **arguments, void *stream) {
    api_on_stream(call, stream);
    struct kernel *kernel = kernel_of_stub(stub);
    // A function of a module can be launched by this name too.
    api_launches(call, kernel ? kernel : kernel_of_function(stub), arguments, NULL, 0);
}

// `extra`: pairs of a tag and a value up to the end's tag.
enum { EXTRA_POINTER = 1, EXTRA_SIZE = 2, EXTRA_END = 3, EXTRA_MOST = 8 };

void hip_launches_function(struct api_call *call, const void *function, void **arguments,
                           void **extra, void *stream) {
    const void *packed = NULL;
    size_t size = 0;
    for (unsigned i = 0; extra && i < EXTRA_MOST && extra[i] != (void *)EXTRA_END; i += 2) {
        if (extra[i] == (void *)EXTRA_POINTER)
            packed = extra[i + 1];
        else if (extra[i] == (void *)EXTRA_SIZE && extra[i + 1])
            memcpy(&size, extra[i + 1], sizeof size);
    }
    api_on_stream(call, stream);
    api_launches(call, kernel_of_function(function), arguments, packed, size);
}

struct config { // hipLaunchConfig_t: dimensions by value, then shared memory and the stream
    struct hip_dim3 grid, block;
    size_t shared;
    void *stream;
};

void hip_launches_config(struct api_call *call, const void *config, const void *stub,
                         void **arguments) {
    hip_launches(call, stub, arguments, config ? ((const struct config *)config)->stream : NULL);
}

struct driver_config { // HIP_LAUNCH_CONFIG
    unsigned grid[3], block[3], shared;
    void *stream;
};

void hip_launches_driver_config(struct api_call *call, const void *config, const void *function,
                                void **arguments, void **extra) {
    hip_launches_function(call, function, arguments, extra,
                          config ? ((const struct driver_config *)config)->stream : NULL);
}

void hip_launch_events(struct api_call *call, void *start, void *stop) {
    call->also_records[0] = (struct api_record){start, 0};
    call->also_records[1] = (struct api_record){stop, 0};
}

// The old way: a configuration, arguments one by one (of unknown places), the launch.
static __thread void *configured __attribute__((tls_model("initial-exec")));

void hip_configured(int rc, void *stream) {
    if (rc == 0)
        configured = stream;
}

void hip_launches_configured(struct api_call *call, const void *stub) {
    api_on_stream(call, configured);
    api_launches(call, kernel_of_stub(stub), NULL, NULL, 0);
}
