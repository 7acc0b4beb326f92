// Occupancy: answers that let a launch be sized. Nothing here has resources to divide.
#include "standin.h"

#define BLOCKS_AT_ONCE 4

hipError_t impl_hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                             int block, size_t shared) {
    (void)shared;
    if (!blocks || !function || block <= 0)
        return fail(hipErrorInvalidValue);
    *blocks = BLOCKS_AT_ONCE;
    return hipSuccess;
}
hipError_t impl_hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                      const void *function,
                                                                      int block, size_t shared,
                                                                      unsigned flags) {
    (void)flags;
    return impl_hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared);
}
hipError_t impl_hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                   hipFunction_t function,
                                                                   int block, size_t shared) {
    return impl_hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared);
}
hipError_t impl_hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, hipFunction_t function, int block, size_t shared, unsigned flags) {
    (void)flags;
    return impl_hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared);
}
hipError_t impl_hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *function,
                                                  size_t shared, int limit) {
    (void)shared;
    if (!grid || !block || !function || limit < 0)
        return fail(hipErrorInvalidValue);
    *grid = MULTIPROCESSORS * BLOCKS_AT_ONCE;
    *block = limit && limit < MAX_THREADS ? limit : MAX_THREADS;
    return hipSuccess;
}
hipError_t impl_hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                                        hipFunction_t function, size_t shared,
                                                        int limit) {
    return impl_hipOccupancyMaxPotentialBlockSize(grid, block, function, shared, limit);
}
hipError_t impl_hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                                 hipFunction_t function,
                                                                 size_t shared, int limit,
                                                                 unsigned flags) {
    (void)flags;
    return impl_hipOccupancyMaxPotentialBlockSize(grid, block, function, shared, limit);
}
