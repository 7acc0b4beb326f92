// The stand-in driver inside: what its files share. The machinery is that of tests/hip/standin.
#pragma once
#include "graph.h"
#include "standin.h"

#include "cuda.h"

extern int standin_answer;             // of what is not there
int context_device(CUcontext context); // NO_DEVICE: there is no such context
CUcontext primary_context(int device);

// The work that parameters of nodes mean. The caller has one use of it.
hipError_t work_of_copy(const CUDA_MEMCPY3D *parameters, struct work *work);
