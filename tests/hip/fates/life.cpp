// HIP calls before main, behind it, and at the ends of threads: in static constructors and
// destructors, in functions of atexit, in thread-local destructors, in a library's too.
#include <cstdio>
#include <cstdlib>
#include <thread>
extern "C" {
#include "hip.h"
}

static void call(const char *who) {
    void *memory = nullptr;
    hipError_t error = hipMalloc(&memory, 64);
    if (!error)
        error = hipFree(memory);
    std::printf("%s %d\n", who, error);
    std::fflush(stdout);
}

struct living {
    const char *born, *ended;
    living(const char *first, const char *last) : born(first), ended(last) { call(born); }
    ~living() { call(ended); }
};

#ifdef LIBRARY
static living of_library("library born", "library ended");
void used();
void used() {}
#else
void used();
static living of_program("program born", "program ended");
__attribute__((constructor(101))) static void early() { call("constructor"); }
__attribute__((destructor(101))) static void late() { call("destructor"); }

int main() {
    used();
    std::atexit([] { call("at exit"); });
    std::at_quick_exit([] { call("at quick exit"); });
    std::thread([] { thread_local living mine("thread born", "thread ended"); }).join();
    call("main");
}
#endif
