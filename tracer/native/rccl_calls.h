// What RCCL's wrappers (rccl_wrappers.c, rccl_group.c) are made of: its part of each call.
#pragma once
#include "api_call.h"
#include "rccl.h"

#define EXPORT __attribute__((visibility("default")))
#define REAL_RCCL(name, returns, types) ((returns(*) types)rccl_function(RCCL_##name))

#define RCCL_ENTER(name, kind)                                                                     \
    API_CALL(call);                                                                                \
    struct api_call *c = &call;                                                                    \
    rccl_enter(c, CALL_##name, kind, __builtin_return_address(0), OP_FRAME())
#define RCCL_OUT() op_out(&c->op)
#define RCCL_LEFT_OUT() op_skipped(&c->op)
#define RCCL_BACK() op_back(&c->op)
#define RCCL_LEAVE()                                                                               \
    if (c->op.thread)                                                                              \
    rccl_leave(c, rc)

void rccl_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
                void *frame);
// Within a group it is kept for the end of that.
void rccl_leave(struct api_call *call, int rc);
bool rccl_has_failed(int rc);

// What a collective reads and writes here: a buffer of so many elements, or of as many for each
// rank of the communicator; `_at`: only on one rank.
enum rccl_share { RCCL_ONE, RCCL_ALL };
void rccl_sends(struct api_call *call, const void *communicator, const void *buffer, size_t count,
                int type, enum rccl_share share);
void rccl_receives(struct api_call *call, const void *communicator, const void *buffer,
                   size_t count, int type, enum rccl_share share);
void rccl_sends_at(struct api_call *call, const void *communicator, int root, const void *buffer,
                   size_t count, int type, enum rccl_share share);
void rccl_receives_at(struct api_call *call, const void *communicator, int root, const void *buffer,
                      size_t count, int type, enum rccl_share share);
void rccl_broadcasts(struct api_call *call, const void *communicator, int root, const void *from,
                     const void *to, size_t count, int type);
// A part for each rank, each with its number of elements and its place.
void rccl_sends_parts(struct api_call *call, const void *communicator, const void *buffer,
                      const void *counts, const void *places, int type);
void rccl_receives_parts(struct api_call *call, const void *communicator, const void *buffer,
                         const void *counts, const void *places, int type);

// The call is kept, if its thread is in a group.
bool rccl_group_takes(struct api_call *call, bool failed);
