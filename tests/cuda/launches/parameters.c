// Ways to hand a kernel its parameters: two kernels share a pointer, one has pointers in a struct,
// parameters come one by one, packed, and in a node of a graph.
#include "launches.h"

static struct {
    int32_t number;
    CUdeviceptr to, from;
} both;
static int32_t number = 3;
static void *of_last[] = {&number, &both, &y};

int main(void) {
    begin();
    both.to = y, both.from = x;
    OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, first, of_fill, NULL));
    OK(cuLaunchKernel(pass, 1, 1, 1, 1, 1, 1, 0, first, of_pass, NULL));
    OK(cuLaunchKernel(last, 1, 1, 1, 1, 1, 1, 0, first, of_last, NULL));
    struct {
        CUdeviceptr from, to;
    } packed = {y, x};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(pass, 1, 1, 1, 1, 1, 1, 0, first, NULL, extra));
    OK(cuLaunchKernel(pass, 1, 1, 1, 1, 1, 1, 0, second, of_pass, NULL)); // as it was told before

    CUgraph graph;
    CUgraphNode node;
    CUgraphExec made;
    CUDA_KERNEL_NODE_PARAMS of_node = {.func = last, 1, 1, 1, 1, 1, 1, 0, .kernelParams = of_last};
    both.to = x;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode(&node, graph, NULL, 0, &of_node));
    OK(cuGraphInstantiateWithFlags(&made, graph, 0));
    OK(cuGraphLaunch(made, first));
    OK(cuMemsetD8Async(x, 0, BYTES, first)); // by no parameter of a kernel
    OK(cuCtxSynchronize());
    return 0;
}
