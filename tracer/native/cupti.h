// CUPTI, NVIDIA's library for profilers, as far as device times need it: found while the program
// runs, called by its documented functions, its records read where the header of its version has
// their fields. (tests/cuda/cupti_layout.py compares that with the headers.)
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*cupti_request)(uint8_t **buffer, size_t *size, size_t *most_records);
typedef void (*cupti_complete)(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                               size_t valid);

// X(name, parameters). Each returns 0 or an error.
#define CUPTI_ASKED(X)                                                                             \
    X(cuptiGetVersion, (uint32_t *))                                                               \
    X(cuptiGetCallbackName, (int, uint32_t, const char **))                                        \
    X(cuptiActivityRegisterTimestampCallback, (uint64_t(*)(void)))                                 \
    X(cuptiActivityRegisterCallbacks, (cupti_request, cupti_complete))                             \
    X(cuptiActivityEnable, (int))                                                                  \
    X(cuptiActivityDisable, (int))                                                                 \
    X(cuptiActivityEnableDriverApi, (uint32_t, uint8_t))                                           \
    X(cuptiActivityPushExternalCorrelationId, (int, uint64_t))                                     \
    X(cuptiActivityPopExternalCorrelationId, (int, uint64_t *))                                    \
    X(cuptiActivityFlushAll, (uint32_t))                                                           \
    X(cuptiActivityGetNextRecord, (uint8_t *, size_t, void **))                                    \
    X(cuptiActivityGetNumDroppedRecords, (void *, uint32_t, size_t *))

struct cupti {
#define SLOT(name, parameters) int(*name) parameters;
    CUPTI_ASKED(SLOT)
#undef SLOT
};

enum cupti_kind {
    CUPTI_MEMCPY = 1,
    CUPTI_MEMSET = 2,
    CUPTI_KERNEL = 10, // CONCURRENT_KERNEL: work is not kept from running at once
    CUPTI_MEMCPY_PEER = 22,
    CUPTI_EXTERNAL_CORRELATION = 39,
    CUPTI_GRAPH_TRACE = 51, // a launch as a whole
};
enum { CUPTI_DRIVER_API = 1 };  // domain of callbacks
enum { CUPTI_OF_RECORDER = 5 }; // CUSTOM2 of the kinds of external correlation
enum { CUPTI_SLOT_TAKEN = 39 }; // MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
enum { CUPTI_NOT_INITIALIZED = 15 };

// The CUDA version of a CUPTI by its own, as cuDriverGetVersion numbers them; 0: older than 12.8,
// whose device times cannot be asked for call by call. Records of one that is newer than known are
// not read.
uint32_t cupti_cuda_version(uint32_t version);
bool cupti_is_known(uint32_t version);

// What a record says: which op a correlation stands for, or when the device worked for it.
enum cupti_said { CUPTI_SAYS_NOTHING, CUPTI_SAYS_OP, CUPTI_SAYS_TIMES };
struct cupti_record {
    uint32_t correlation;
    uint32_t kind;
    uint64_t op;
    int64_t start, end; // 0: it was not complete
};
enum cupti_said cupti_read(const void *record, struct cupti_record *read);

// Of a library opened by this handle: all functions, or false.
bool cupti_take(struct cupti *cupti, void *library);
