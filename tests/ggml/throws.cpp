// Exceptions pass through recorded calls: THROWS COUNT throws so often out of a host wait, from the
// main function and from a deeper one, and goes on.
extern "C" {
#include "ggml_abi.h"
}
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

static void throwing(backend_t) { throw std::runtime_error("device lost"); }

static int caught(backend_t backend, int depth) {
    volatile char room[256] = {};
    if (depth)
        return caught(backend, depth - 1) + room[0];
    try {
        ggml_backend_synchronize(backend);
    } catch (const std::runtime_error &) {
        return 1;
    }
    return 0;
}

int main(int, char **argv) {
    const int count = std::atoi(argv[1]);
    backend_t backend = ggml_backend_dev_init(reinterpret_cast<void *>(1), nullptr);
    void **slot = &backend->slot[SLOT_SYNCHRONIZE + SLOT_2D];
    void *real = *slot;
    int thrown = 0;
    for (int i = 0; i < count; i++) {
        *slot = reinterpret_cast<void *>(throwing);
        thrown += caught(backend, i % 2);
        *slot = real;
        caught(backend, 3); // from a deeper frame than the call that was left
    }
    ggml_backend_free(backend);
    std::printf("caught %d\n", thrown);
    return thrown == count ? 0 : 1;
}
