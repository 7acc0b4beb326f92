// Calls that are left by an exception or by longjmp, from a runtime whose functions do that: built
// twice, as the program and (RUNTIME) as the runtime it opens.
#include <csetjmp>
#include <cstdio>
#include <dlfcn.h>
#include <stdexcept>
extern "C" {
#include "hip.h"
}

#ifdef RUNTIME
static bool works;
static std::jmp_buf *away;
extern "C" {
void leaves_by(std::jmp_buf *to) {
    away = to;
    works = false;
}
void works_again() { works = true; }
hipError_t hipDeviceSynchronize() {
    if (works)
        return hipSuccess;
    if (away)
        std::longjmp(*away, 1);
    throw std::runtime_error("device lost");
}
hipError_t hipGetDevice(int *device) { return *device = 0, hipSuccess; }
hipError_t hipMalloc(void **memory, size_t) { return *memory = &works, hipSuccess; }
}
#else
static hipError_t (*wait)();
static hipError_t (*allocate)(void **, size_t);

static int caught(int depth) {
    volatile char room[256] = {};
    if (depth)
        return caught(depth - 1) + room[0];
    try {
        wait();
    } catch (const std::runtime_error &) {
        return 1;
    }
    return 0;
}

static std::jmp_buf here;
static int jumped(int depth) {
    volatile char room[256] = {};
    if (depth)
        return jumped(depth - 1) + room[0];
    if (setjmp(here))
        return 1;
    wait();
    return 0;
}

int main(int, char **argv) {
    void *runtime = dlopen(argv[1], RTLD_NOW);
    void *memory;
    auto leaves = reinterpret_cast<void (*)(std::jmp_buf *)>(dlsym(runtime, "leaves_by"));
    auto works = reinterpret_cast<void (*)()>(dlsym(runtime, "works_again"));
    wait = reinterpret_cast<hipError_t (*)()>(dlsym(runtime, "hipDeviceSynchronize"));
    allocate = reinterpret_cast<hipError_t (*)(void **, size_t)>(dlsym(runtime, "hipMalloc"));
    allocate(&memory, 64);
    int left = 0;
    for (int i = 0; i < 20; i++) {
        leaves(nullptr);
        left += caught(i % 2);
        works();
        left += caught(3); // from a deeper frame than the call that was left
        leaves(&here);
        left += jumped(i % 3);
        works();
        wait();
    }
    std::printf("%d\n", left);
    return left != 40;
}
#endif
