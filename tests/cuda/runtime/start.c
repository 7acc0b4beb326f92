// A program on NVIDIA's CUDA runtime, shared or linked in: what its first call comes to.
#include <stdio.h>

int cudaGetDeviceCount(int *count); // cudaError_t
const char *cudaGetErrorString(int error);

int main(void) {
    int count = -1, error = cudaGetDeviceCount(&count);
    printf("%d %s\n", error, cudaGetErrorString(error));
    return 0;
}
