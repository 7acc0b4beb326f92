// What HIP 5 tells otherwise than later versions: the numbers are those of its own headers.
#include "hip.h"
#include <string.h>

// The macro of the header gives the name to a later layout.
hipError_t hipGetDeviceProperties_of_5(hipDeviceProp_tR0000 *,
                                       int) __asm__("hipGetDeviceProperties");

int main(void) {
    void *device, *host;
    hipPointerAttribute_t what;
    hipGraph_t graph;
    hipGraphNode_t node;
    hipGraphNodeType type;
    char here, to[4] = {0}, from[] = "abc";
    hipDeviceProp_tR0000 properties;
    hip_Memcpy2D rows = {.srcHost = from, .dstHost = to, .WidthInBytes = 4, .Height = 1};
    if (hipMalloc(&device, 8) || hipHostMalloc(&host, 8, 0) || hipGraphCreate(&graph, 0))
        return 1;
    if (hipPointerGetAttributes(&what, device) || what.type != (hipMemoryType)1)
        return 2;
    if (hipPointerGetAttributes(&what, host) || what.type != (hipMemoryType)0)
        return 3;
    if (hipPointerGetAttributes(&what, &here) != hipErrorInvalidValue)
        return 4;
    if (hipGraphAddEmptyNode(&node, graph, NULL, 0) || hipGraphNodeGetType(node, &type) ||
        type != (hipGraphNodeType)6)
        return 5;
    if (hipMemcpyParam2D(&rows) || strcmp(to, from)) // of host memory, type 0
        return 6;
    if (hipGetDeviceProperties_of_5(&properties, 0) || properties.warpSize != 64 ||
        strncmp(properties.gcnArchName, "gfx90a", 6))
        return 7;
    return 0;
}
