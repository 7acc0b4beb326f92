// Written by generate_wrappers.py from rccl_api.txt and rccl_roles*.txt: edit those.
// X(name, table, index): its place behind the word of the table's size.
#pragma once
// clang-format off
#define RCCL_FUNCTIONS(X) \
    X(ncclReduce, RCCL_LIBRARY, 0) \
    X(ncclBcast, RCCL_LIBRARY, 1) \
    X(ncclBroadcast, RCCL_LIBRARY, 2) \
    X(ncclAllReduce, RCCL_LIBRARY, 3) \
    X(ncclAllReduceWithBias, RCCL_LIBRARY, 4) \
    X(ncclReduceScatter, RCCL_LIBRARY, 5) \
    X(ncclAllGather, RCCL_LIBRARY, 6) \
    X(ncclSend, RCCL_LIBRARY, 7) \
    X(ncclRecv, RCCL_LIBRARY, 8) \
    X(ncclGather, RCCL_LIBRARY, 9) \
    X(ncclScatter, RCCL_LIBRARY, 10) \
    X(ncclAllToAll, RCCL_LIBRARY, 11) \
    X(ncclAllToAllv, RCCL_LIBRARY, 12) \
    X(ncclGroupStart, RCCL_LIBRARY, 13) \
    X(ncclGroupEnd, RCCL_LIBRARY, 14) \
    X(ncclAlltoAll, RCCL_LIBRARY, 15)
