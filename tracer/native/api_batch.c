// Calls that copy several times: an op each, within that of the batch.
#include "api_roles.h"

// An op of the batch, within it.
bool api_batched(struct api_call *call, const struct api_call *batch) {
    if (!api_enter_more(call, batch, KIND_MEMCPY_ASYNC_D2D))
        return false;
    call->op.record.flags |= FLAG_BATCHED;
    if (batch->stream)
        api_acts_on(call, batch->stream);
    return true;
}

void api_copied_batch(struct api_call *call, const void *targets, const void *sources,
                      const size_t *sizes, size_t count) {
    void *const *to = targets, *const *from = sources;
    for (size_t i = 0; call->captures && i < count; i++)
        api_copy(call, to[i], sizes[i], from[i], sizes[i], sizes[i], 1, API_ASYNC);
    if (call->captures) { // one node
        call->op.record.kind = KIND_BATCH;
        return;
    }
    op_encloses(&call->op);
    for (size_t i = 0; i < count; i++) {
        API_CALL(copy);
        if (!api_batched(&copy, call))
            return;
        api_copy(&copy, to[i], sizes[i], from[i], sizes[i], sizes[i], 1, API_ASYNC);
        api_leave(&copy, 0, false);
    }
}
