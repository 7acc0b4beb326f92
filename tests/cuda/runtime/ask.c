// Asks the driver for functions as NVIDIA's runtime does: for each "NAME VERSION FLAGS" of its
// input the function's own name and the library that it lies in.
#define _GNU_SOURCE
#include "cuda.h"
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    char name[128];
    int version, status;
    unsigned long long flags;
    while (scanf("%127s %d %llu%*[^\n]", name, &version, &flags) == 3) {
        void *found = NULL;
        Dl_info where;
        cuGetProcAddress(name, &found, version, flags, &status);
        if (found && dladdr(found, &where))
            printf("%s %s\n", where.dli_sname, where.dli_fname);
    }
    return 0;
}
