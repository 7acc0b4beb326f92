// llama.cpp's own unit of work: one decode or encode call is a scope.
#include "ggml_abi.h"
#include "op.h"
#include "resolve.h"
#include "scope.h"

static void begin(struct op *op, const char *name, void *frame) {
    scope_open(op->thread, SCOPE_KIND_DECODE, name, NULL, frame);
}

static void end(struct op *op, int32_t status) {
    op_back(op);
    if (op->thread)
        scope_close(op->thread, SCOPE_KIND_DECODE);
    op->record.rc = status;
    op_leave(op);
}

HOOK int32_t llama_decode(void *context, struct llama_batch batch) {
    OP(op);
    if (OP_ENTER_APP(&op, llama_decode, KIND_MARK))
        begin(&op, "decode", OP_FRAME());
    int32_t status = CALL(op, llama_decode)(context, batch);
    end(&op, status);
    return status;
}

HOOK int32_t llama_encode(void *context, struct llama_batch batch) {
    OP(op);
    if (OP_ENTER_APP(&op, llama_encode, KIND_MARK))
        begin(&op, "encode", OP_FRAME());
    int32_t status = CALL(op, llama_encode)(context, batch);
    end(&op, status);
    return status;
}
