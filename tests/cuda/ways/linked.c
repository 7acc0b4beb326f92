// A program that is linked against the driver.
#include <stddef.h>

int cuMemAlloc_v2(void **memory, size_t size);
int cuMemcpyHtoD_v2(void *to, const void *from, size_t size);
int cuCtxSynchronize(void);

int main(void) {
    char bytes[64] = {0};
    void *memory;
    return cuMemAlloc_v2(&memory, sizeof bytes) || cuMemcpyHtoD_v2(memory, bytes, sizeof bytes) ||
           cuCtxSynchronize();
}
