// A program that is linked against the driver.
#include "play.h"

int main(void) {
    return cuInit(0) || play(&(struct functions){cuStreamCreate, cuMemAlloc, cuMemcpyHtoD,
                                                 cuMemcpyHtoDAsync, cuCtxSynchronize});
}
