// What NVTX's headers need of CUDA's: types of handles.
#pragma once
typedef int CUdevice;
typedef struct context *CUcontext;
typedef struct stream *CUstream;
typedef struct event *CUevent;
