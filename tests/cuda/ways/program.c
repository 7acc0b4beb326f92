// program LIBRARY WAY [deep]: loads a library that has a CUDA runtime, and plays.
#define _GNU_SOURCE
#include <dlfcn.h>

int main(int count, char **arguments) {
    void *library = dlopen(arguments[1], RTLD_NOW | (count > 3 ? RTLD_DEEPBIND : 0));
    int (*play)(const char *) = library ? (int (*)(const char *))dlsym(library, "play_by") : 0;
    return play ? play(arguments[2]) : 3;
}
