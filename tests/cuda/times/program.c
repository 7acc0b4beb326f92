// program WAY [TIMES]: one of each operation, so many times. WAY is how it ends, or:
//   profiles   a profiler of its own begins in the middle
//   forks      a child is forked, which ends by exit
//
// PROGRAM_CUDA: as which version's runtime it asks for functions; none: not at all.
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int cuInit(unsigned flags);
int cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, void *status);
int cuMemAlloc_v2(void **memory, size_t size);
int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t size, void *stream);
int cuMemsetD8Async(void *to, unsigned char value, size_t size, void *stream);
int cuLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned shared, void *stream, void **arguments, void **extra);
int cuGraphLaunch(void *executable, void *stream);
int cuCtxSynchronize(void);
int cuptiSubscribe(void **subscriber, void *callback, void *data) __attribute__((weak));

static void play(void *memory, int times) {
    static char bytes[64];
    for (int i = 0; i < times; i++) {
        cuMemcpyHtoDAsync_v2(memory, bytes, sizeof bytes, NULL);
        cuMemsetD8Async(memory, 1, sizeof bytes, NULL);
        cuLaunchKernel(memory, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
        cuGraphLaunch(memory, NULL);
    }
    cuCtxSynchronize();
}

int main(int count, char **arguments) {
    int times = count > 2 ? atoi(arguments[2]) : 1;
    void *memory, *subscriber;
    const char *cuda = getenv("PROGRAM_CUDA");
    if (cuda)
        cuGetProcAddress_v2("cuMemAlloc", &memory, atoi(cuda), 0, NULL);
    if (cuInit(0) || cuMemAlloc_v2(&memory, 64))
        return 1;
    play(memory, times);
    if (strcmp(arguments[1], "profiles") == 0) {
        cuptiSubscribe(&subscriber, NULL, NULL);
        play(memory, times);
    }
    if (strcmp(arguments[1], "forks") == 0) {
        if (fork() == 0)
            exit(0);
        wait(NULL);
        play(memory, times);
    }
    puts("done");
    fflush(stdout);
    if (strcmp(arguments[1], "killed") == 0)
        raise(SIGKILL);
    if (strcmp(arguments[1], "leaves") == 0)
        _exit(0);
    return 0;
}
