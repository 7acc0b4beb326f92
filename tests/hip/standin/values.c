// Values that a stream writes to memory or waits for there: the latter looks until the value is
// met, by whoever writes it.
#include "standin.h"
#include <stdlib.h>

static hipError_t check(const void *address, size_t size) {
    lock();
    struct memory *memory = find_memory(address);
    bool fit = memory && is_within(memory, address, size) && !((uintptr_t)address % size);
    unlock();
    return fit ? hipSuccess : hipErrorInvalidValue;
}

static hipError_t submit_value(hipStream_t stream, enum work_kind kind, struct value value) {
    hipError_t error = check(value.address, value.wide ? 8 : 4);
    if (kind == WORK_WAIT && value.flags > hipStreamWaitValueNor)
        error = hipErrorInvalidValue;
    struct work work = {kind, .value = value};
    return error ? fail(error) : submit(stream, &work);
}

hipError_t impl_hipStreamWriteValue32(hipStream_t stream, void *address, uint32_t value,
                                      unsigned flags) {
    return submit_value(stream, WORK_WRITE, (struct value){address, value, 0, flags, false});
}
hipError_t impl_hipStreamWriteValue64(hipStream_t stream, void *address, uint64_t value,
                                      unsigned flags) {
    return submit_value(stream, WORK_WRITE, (struct value){address, value, 0, flags, true});
}
hipError_t impl_hipStreamWaitValue32(hipStream_t stream, void *address, uint32_t value,
                                     unsigned flags, uint32_t mask) {
    return submit_value(stream, WORK_WAIT, (struct value){address, value, mask, flags, false});
}
hipError_t impl_hipStreamWaitValue64(hipStream_t stream, void *address, uint64_t value,
                                     unsigned flags, uint64_t mask) {
    return submit_value(stream, WORK_WAIT, (struct value){address, value, mask, flags, true});
}

static hipError_t submit_op(hipStream_t stream, const hipStreamBatchMemOpParams *op) {
    const hipStreamMemOp *told = &op->writeValue;
    switch (op->operation) {
    case hipStreamMemOpWriteValue32:
        return impl_hipStreamWriteValue32(stream, told->address, told->value, told->flags);
    case hipStreamMemOpWriteValue64:
        return impl_hipStreamWriteValue64(stream, told->address, told->value64, told->flags);
    case hipStreamMemOpWaitValue32:
        return impl_hipStreamWaitValue32(stream, told->address, told->value, told->flags,
                                         UINT32_MAX);
    case hipStreamMemOpWaitValue64:
        return impl_hipStreamWaitValue64(stream, told->address, told->value64, told->flags,
                                         UINT64_MAX);
    default:
        return fail(hipErrorInvalidValue);
    }
}
hipError_t impl_hipStreamBatchMemOp(hipStream_t stream, unsigned count,
                                    hipStreamBatchMemOpParams *ops, unsigned flags) {
    if (!count || !ops || flags)
        return fail(hipErrorInvalidValue);
    hipError_t error = hipSuccess;
    for (unsigned i = 0; i < count && !error; i++)
        error = submit_op(stream, &ops[i]);
    return error;
}

// The copies of a batch come after what the stream has and before what follows; nothing orders them
// among each other. Attributes are not looked at: a source is read when its copy is done.
hipError_t impl_hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                    hipMemcpyAttributes *attributes, size_t *attribute_of,
                                    size_t attribute_count, size_t *failed, hipStream_t on) {
    (void)attributes, (void)attribute_of, (void)attribute_count;
    struct stream *stream;
    if (failed)
        *failed = SIZE_MAX;
    if (!dsts || !srcs || !sizes || !count || (!on && !standin_own_stream) || on == hipStreamLegacy)
        return fail(hipErrorInvalidValue);
    lock();
    hipError_t error = begin(on, &stream);
    if (!error && is_capturing(stream))
        error = hipErrorStreamCaptureUnsupported;
    for (size_t i = 0; i < count && !error; i++)
        if (!dsts[i] || !srcs[i] || !sizes[i]) {
            error = hipErrorInvalidValue;
            if (failed)
                *failed = i;
        }
    if (!error) {
        struct command *start = command_hold(stream->last), *end = new_command(NULL, stream);
        for (size_t i = 0; i < count; i++) {
            struct work work = {WORK_COPY, .copy = linear_copy(dsts[i], srcs[i], sizes[i])};
            struct command *copy = new_command(&work, stream);
            wait_also(copy, start);
            wait_also(end, push(idle_stream(stream->device), copy));
        }
        push(stream, end);
        command_drop(start);
    }
    unlock();
    return fail(error);
}
