// What NVTX's headers need of CUDA's: types of handles.
#pragma once
typedef struct stream *cudaStream_t;
typedef struct event *cudaEvent_t;
