// A node that is made by a way that is not seen: the graph is not what is known of it. HIP 5 hands
// over no table of its functions, and one that is asked for by its version is not looked at.
#define _GNU_SOURCE
#include "program.h"
#include <dlfcn.h>

int main(void) {
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS);
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t nodes[2], made;
    size_t count = 2;
    void *runtime = dlopen("libamdhip64.so.5", RTLD_NOW | RTLD_NOLOAD);
    hipError_t (*add)(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t,
                      const hipMemsetParams *) =
        dlvsym(runtime, "hipGraphAddMemsetNode", "hip_4.3");
    hipMemsetParams set = {
        .elementSize = 4, .value = 2, .width = WORDS, .height = 1, .pitch = BYTES};
    OK(hipGraphCreate(&graph, 0));
    set.dst = a;
    OK(hipGraphAddMemsetNode(&made, graph, NULL, 0, &set));
    set.dst = b;
    OK(add(&made, graph, NULL, 0, &set));
    OK(hipGraphGetNodes(graph, nodes, &count));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, stream));
    print_device("b", stream, b, WORDS);
    return 0;
}
