// Written by generate_wrappers.py from rccl_api.txt and rccl_roles*.txt: edit those.
#include "rccl_calls.h"

// clang-format off
EXPORT int ncclReduce(const void * sendbuff, void * recvbuff, size_t count, int datatype, int op, int root, void * comm, void * stream) {
    RCCL_ENTER(ncclReduce, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, count, datatype, RCCL_ONE), rccl_receives_at(c, comm, root, recvbuff, count, datatype, RCCL_ONE), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclReduce, int, (const void *, void *, size_t, int, int, int, void *, void *))(sendbuff, recvbuff, count, datatype, op, root, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclBcast(void * buff, size_t count, int datatype, int root, void * comm, void * stream) {
    RCCL_ENTER(ncclBcast, KIND_KERNEL);
    if (c->op.thread)
        rccl_broadcasts(c, comm, root, buff, buff, count, datatype), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclBcast, int, (void *, size_t, int, int, void *, void *))(buff, count, datatype, root, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclBroadcast(const void * sendbuff, void * recvbuff, size_t count, int datatype, int root, void * comm, void * stream) {
    RCCL_ENTER(ncclBroadcast, KIND_KERNEL);
    if (c->op.thread)
        rccl_broadcasts(c, comm, root, sendbuff, recvbuff, count, datatype), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclBroadcast, int, (const void *, void *, size_t, int, int, void *, void *))(sendbuff, recvbuff, count, datatype, root, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclAllReduce(const void * sendbuff, void * recvbuff, size_t count, int datatype, int op, void * comm, void * stream) {
    RCCL_ENTER(ncclAllReduce, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, count, datatype, RCCL_ONE), rccl_receives(c, comm, recvbuff, count, datatype, RCCL_ONE), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclAllReduce, int, (const void *, void *, size_t, int, int, void *, void *))(sendbuff, recvbuff, count, datatype, op, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclAllReduceWithBias(const void * sendbuff, void * recvbuff, size_t count, int datatype, int op, void * comm, void * stream, const void * acc) {
    RCCL_ENTER(ncclAllReduceWithBias, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, count, datatype, RCCL_ONE), rccl_sends(c, comm, acc, count, datatype, RCCL_ONE), rccl_receives(c, comm, recvbuff, count, datatype, RCCL_ONE), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclAllReduceWithBias, int, (const void *, void *, size_t, int, int, void *, void *, const void *))(sendbuff, recvbuff, count, datatype, op, comm, stream, acc);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclReduceScatter(const void * sendbuff, void * recvbuff, size_t recvcount, int datatype, int op, void * comm, void * stream) {
    RCCL_ENTER(ncclReduceScatter, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, recvcount, datatype, RCCL_ALL), rccl_receives(c, comm, recvbuff, recvcount, datatype, RCCL_ONE), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclReduceScatter, int, (const void *, void *, size_t, int, int, void *, void *))(sendbuff, recvbuff, recvcount, datatype, op, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclAllGather(const void * sendbuff, void * recvbuff, size_t sendcount, int datatype, void * comm, void * stream) {
    RCCL_ENTER(ncclAllGather, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, sendcount, datatype, RCCL_ONE), rccl_receives(c, comm, recvbuff, sendcount, datatype, RCCL_ALL), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclAllGather, int, (const void *, void *, size_t, int, void *, void *))(sendbuff, recvbuff, sendcount, datatype, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclSend(const void * sendbuff, size_t count, int datatype, int peer, void * comm, void * stream) {
    RCCL_ENTER(ncclSend, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, count, datatype, RCCL_ONE), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclSend, int, (const void *, size_t, int, int, void *, void *))(sendbuff, count, datatype, peer, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclRecv(void * recvbuff, size_t count, int datatype, int peer, void * comm, void * stream) {
    RCCL_ENTER(ncclRecv, KIND_KERNEL);
    if (c->op.thread)
        rccl_receives(c, comm, recvbuff, count, datatype, RCCL_ONE), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclRecv, int, (void *, size_t, int, int, void *, void *))(recvbuff, count, datatype, peer, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclGather(const void * sendbuff, void * recvbuff, size_t sendcount, int datatype, int root, void * comm, void * stream) {
    RCCL_ENTER(ncclGather, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, sendcount, datatype, RCCL_ONE), rccl_receives_at(c, comm, root, recvbuff, sendcount, datatype, RCCL_ALL), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclGather, int, (const void *, void *, size_t, int, int, void *, void *))(sendbuff, recvbuff, sendcount, datatype, root, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclScatter(const void * sendbuff, void * recvbuff, size_t recvcount, int datatype, int root, void * comm, void * stream) {
    RCCL_ENTER(ncclScatter, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends_at(c, comm, root, sendbuff, recvcount, datatype, RCCL_ALL), rccl_receives(c, comm, recvbuff, recvcount, datatype, RCCL_ONE), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclScatter, int, (const void *, void *, size_t, int, int, void *, void *))(sendbuff, recvbuff, recvcount, datatype, root, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclAllToAll(const void * sendbuff, void * recvbuff, size_t count, int datatype, void * comm, void * stream) {
    RCCL_ENTER(ncclAllToAll, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, count, datatype, RCCL_ALL), rccl_receives(c, comm, recvbuff, count, datatype, RCCL_ALL), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclAllToAll, int, (const void *, void *, size_t, int, void *, void *))(sendbuff, recvbuff, count, datatype, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclAllToAllv(const void * sendbuff, size_t * sendcounts, size_t * sdispls, void * recvbuff, size_t * recvcounts, size_t * rdispls, int datatype, void * comm, void * stream) {
    RCCL_ENTER(ncclAllToAllv, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends_parts(c, comm, sendbuff, sendcounts, sdispls, datatype), rccl_receives_parts(c, comm, recvbuff, recvcounts, rdispls, datatype), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclAllToAllv, int, (const void *, size_t *, size_t *, void *, size_t *, size_t *, int, void *, void *))(sendbuff, sendcounts, sdispls, recvbuff, recvcounts, rdispls, datatype, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}

EXPORT int ncclAlltoAll(const void * sendbuff, void * recvbuff, size_t count, int datatype, void * comm, void * stream) {
    RCCL_ENTER(ncclAlltoAll, KIND_KERNEL);
    if (c->op.thread)
        rccl_sends(c, comm, sendbuff, count, datatype, RCCL_ALL), rccl_receives(c, comm, recvbuff, count, datatype, RCCL_ALL), api_on_stream(c, stream);
    RCCL_OUT();
    int rc = RCCL_LEFT_OUT() ? 0 : REAL_RCCL(ncclAlltoAll, int, (const void *, void *, size_t, int, void *, void *))(sendbuff, recvbuff, count, datatype, comm, stream);
    RCCL_BACK();
    RCCL_LEAVE();
    return rc;
}
