// Rules of copies: what is read when, what the host waits for, which stream does them.
#include "rules.h"
#include <string.h>

#define SMALL 4096
#define LARGEST_STAGED (1 << 20)

static void pinned_is_read_when_done(void) {
    hipStream_t s = non_blocking();
    char *from = pinned_bytes(SMALL, 1), *to = device_bytes(SMALL, 0);
    hold(s, 0);
    OK(hipMemcpyAsync(to, from, SMALL, hipMemcpyHostToDevice, s));
    from[SMALL - 1] = 2;
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(to[0] == 1 && to[SMALL - 1] == 2);
}

static void small_pageable_is_read_at_the_call(void) {
    static char from[LARGEST_STAGED];
    hipStream_t s = non_blocking();
    char *to = device_bytes(sizeof from, 0);
    from[0] = from[sizeof from - 1] = 1;
    hold(s, 0);
    OK(hipMemcpyAsync(to, from, sizeof from, hipMemcpyHostToDevice, s)); // and returns
    from[0] = from[sizeof from - 1] = 2;
    CHECK(!to[0]);
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(to[0] == 1 && to[sizeof from - 1] == 1);
}

struct told { // of a copy that is made in another thread
    void *to, *from;
    size_t size;
    hipStream_t stream;
};
static void copy_async(void *data) {
    struct told *t = data;
    OK(hipMemcpyAsync(t->to, t->from, t->size, hipMemcpyDefault, t->stream));
}
static void copy_with_stream(void *data) {
    struct told *t = data;
    OK(hipMemcpyWithStream(t->to, t->from, t->size, hipMemcpyDefault, t->stream));
}
static void copy(void *data) {
    struct told *t = data;
    OK(hipMemcpy(t->to, t->from, t->size, hipMemcpyDefault));
}

static void larger_pageable_is_waited_for(void) {
    static char from[LARGEST_STAGED + 1] = {1};
    hipStream_t s = non_blocking();
    struct told told = {device_bytes(sizeof from, 0), from, sizeof from, s};
    hold(s, 0);
    must_block(copy_async, &told);
    CHECK(*(char *)told.to == 1);
}

static void to_pageable_is_waited_for(void) {
    char to = 0;
    hipStream_t s = non_blocking();
    struct told told = {&to, device_bytes(1, 1), 1, s};
    hold(s, 0);
    must_block(copy_async, &told);
    CHECK(to == 1);
}

static void to_pinned_is_not_waited_for(void) {
    hipStream_t s = non_blocking();
    char *to = pinned_bytes(1, 0), *from = device_bytes(1, 1);
    hold(s, 0);
    OK(hipMemcpyAsync(to, from, 1, hipMemcpyDeviceToHost, s));
    CHECK(stays(to, 0));
    open_gate(0);
    becomes(to, 1);
}

static void between_pageable_drains_the_stream(void) {
    char to = 0, from = 1;
    hipStream_t s = non_blocking();
    struct told told = {&to, &from, 1, s};
    hold(s, 0);
    must_block(copy_async, &told);
    CHECK(to == 1);
}

static void registered_is_pinned(void) {
    static char from[SMALL] = {1};
    hipStream_t s = non_blocking();
    char *to = device_bytes(SMALL, 0);
    OK(hipHostRegister(from, SMALL, hipHostRegisterDefault));
    IS(hipHostRegister(from, SMALL, hipHostRegisterDefault), hipErrorHostMemoryAlreadyRegistered);
    hold(s, 0);
    OK(hipMemcpyAsync(to, from, SMALL, hipMemcpyHostToDevice, s));
    *from = 2;
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(*to == 2);
    OK(hipHostUnregister(from));
    hold(s, 1);
    OK(hipMemcpyAsync(to, from, SMALL, hipMemcpyHostToDevice, s));
    *from = 3;
    open_gate(1);
    OK(hipStreamSynchronize(s));
    CHECK(*to == 2);
    IS(hipHostUnregister(from), hipErrorHostMemoryNotRegistered);
}

static void no_bytes_are_nothing(void) {
    char *to = device_bytes(SMALL, 1);
    hold(NULL, 0);
    OK(hipMemcpy(to, to + 8, 0, hipMemcpyHostToDevice));
    OK(hipMemcpy(to, to, 8, hipMemcpyDefault));
    OK(hipMemset(to, 2, 0));
    OK(hipMemcpy2D(to, 8, to, 8, 0, 2, hipMemcpyDefault));
}

static void memcpy_within_a_device_does_not_wait(void) {
    char *to = device_bytes(8, 0), *from = device_bytes(8, 1);
    hold(NULL, 0);
    OK(hipMemcpy(to, from, 8, hipMemcpyDeviceToDevice));
    CHECK(stays(to, 0));
    open_gate(0);
    becomes(to, 1);
}
static void memcpy_from_pinned_waits(void) {
    struct told told = {device_bytes(8, 0), pinned_bytes(8, 1), 8, NULL};
    hold(blocking(), 0); // which the legacy stream waits for
    must_block(copy, &told);
    CHECK(*(char *)told.to == 1);
}
static void memcpy_between_devices_waits(void) {
    struct told told = {device_bytes(8, 0), NULL, 8, NULL};
    OK(hipSetDevice(1));
    told.from = device_bytes(8, 1);
    OK(hipSetDevice(0));
    hold(NULL, 0);
    must_block(copy, &told);
    CHECK(*(char *)told.to == 1);
}
static void with_stream_waits_for_its_stream(void) {
    hipStream_t s = non_blocking();
    struct told told = {device_bytes(8, 0), device_bytes(8, 1), 8, s};
    hold(s, 0);
    must_block(copy_with_stream, &told);
    CHECK(*(char *)told.to == 1);
}

// --- Several devices ---

static char *far_bytes(size_t size, char value) {
    OK(hipSetDevice(1));
    char *bytes = device_bytes(size, value);
    OK(hipSetDevice(0));
    return bytes;
}
static hipStream_t far_blocking(void) {
    OK(hipSetDevice(1));
    hipStream_t s = blocking();
    OK(hipSetDevice(0));
    return s;
}

static void a_copy_goes_to_the_memorys_device(void) {
    hipStream_t near = non_blocking(), far = far_blocking();
    char *to = far_bytes(8, 0), *from = pinned_bytes(8, 1);
    hold(far, 0); // and so holds the null stream of that device
    OK(hipMemcpyAsync(to, from, 8, hipMemcpyHostToDevice, near));
    int flag = raise_in(near); // behind the copy
    CHECK(is_held(flag) && !*to);
    open_gate(0);
    runs(flag);
    CHECK(*to == 1);
}
static void a_moved_copy_is_behind_its_stream(void) {
    hipStream_t near = non_blocking();
    char *to = far_bytes(8, 0), *from = pinned_bytes(8, 1);
    hold(near, 0);
    OK(hipMemcpyAsync(to, from, 8, hipMemcpyHostToDevice, near));
    CHECK(stays(to, 0));
    open_gate(0);
    becomes(to, 1);
}
static void a_peer_copy_is_in_its_stream(void) {
    hipStream_t near = non_blocking(), far = far_blocking();
    char *to = far_bytes(8, 0), *from = device_bytes(8, 1);
    hold(far, 0); // holds nothing of the copy
    OK(hipMemcpyPeerAsync(to, 1, from, 0, 8, near));
    becomes(to, 1);
    hold(near, 1);
    *from = 2;
    OK(hipMemcpyAsync(to, from, 8, hipMemcpyDeviceToDevice, near));
    CHECK(stays(to, 1));
    open_gate(1);
    becomes(to, 2);
    IS(hipMemcpyPeerAsync(to, 7, from, 0, 8, near), hipErrorInvalidDevice);
}
static void peer_async(void *data) {
    struct told *t = data;
    OK(hipMemcpyPeerAsync(t->to, 1, t->from, 0, t->size, t->stream));
}
// Run without peers.
static void without_peers_the_host_waits(void) {
    struct told told = {far_bytes(8, 0), device_bytes(8, 1), 8, non_blocking()};
    int can = 1;
    OK(hipDeviceCanAccessPeer(&can, 0, 1));
    CHECK(!can);
    hold(told.stream, 0);
    must_block(peer_async, &told);
}

// --- Rows and slices ---

static void rows_leave_the_gaps(void) {
    enum { PITCH = 16, WIDTH = 5, ROWS = 3 };
    char *to = device_bytes(PITCH * ROWS, 9), from[WIDTH * ROWS];
    memset(from, 1, sizeof from);
    OK(hipMemcpy2D(to, PITCH, from, WIDTH, WIDTH, ROWS, hipMemcpyHostToDevice));
    for (int i = 0; i < PITCH * ROWS; i++)
        CHECK(to[i] == (i % PITCH < WIDTH ? 1 : 9));
    IS(hipMemcpy2D(to, 4, from, WIDTH, WIDTH, ROWS, hipMemcpyDefault), hipErrorInvalidValue);
    IS(hipMemcpy2D(to, PITCH, from, WIDTH, WIDTH, ROWS + 1, hipMemcpyDefault),
       hipErrorInvalidValue);
}
static void slices_leave_the_gaps(void) {
    enum { PITCH = 8, ROWS = 4, SLICES = 2 };
    char *to = device_bytes(PITCH * ROWS * SLICES, 9), from[2 * 2 * SLICES];
    memset(from, 1, sizeof from);
    hipMemcpy3DParms told = {
        .dstPtr = {to, PITCH, 3, ROWS},
        .dstPos = {1, 1, 0},
        .srcPtr = {from, 2, 2, 2},
        .extent = {2, 2, SLICES},
        .kind = hipMemcpyHostToDevice,
    };
    OK(hipMemcpy3D(&told));
    for (int i = 0; i < PITCH * ROWS * SLICES; i++) {
        int x = i % PITCH, y = i / PITCH % ROWS;
        CHECK(to[i] == ((x == 1 || x == 2) && (y == 1 || y == 2) ? 1 : 9));
    }
    hip_Memcpy2D flat = {.srcHost = from,
                         .srcMemoryType = hipMemoryTypeHost,
                         .srcPitch = 2,
                         .dstDevice = to,
                         .dstMemoryType = hipMemoryTypeDevice,
                         .dstPitch = PITCH,
                         .WidthInBytes = 2,
                         .Height = 2,
                         .dstY = 3};
    OK(hipMemcpyParam2D(&flat));
    CHECK(to[3 * PITCH] == 1 && to[3 * PITCH + 2] == 9 && to[4 * PITCH] == 1);
}
static void a_small_pageable_box_is_staged(void) {
    hipStream_t s = non_blocking();
    char *to = device_bytes(64, 0), from[32];
    memset(from, 1, sizeof from);
    hold(s, 0);
    OK(hipMemcpy2DAsync(to, 8, from, 4, 4, 8, hipMemcpyHostToDevice, s));
    memset(from, 2, sizeof from);
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(to[0] == 1 && to[4] == 0 && to[59] == 1);
}

static void copies_are_checked(void) {
    char *to = device_bytes(8, 0), from[8] = {0};
    IS(hipMemcpy(to, from, 9, hipMemcpyHostToDevice), hipErrorInvalidValue);
    IS(hipMemcpy(to + 4, from, 5, hipMemcpyHostToDevice), hipErrorInvalidValue);
    IS(hipMemcpy(NULL, from, 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
    IS(hipMemcpy(to, from, 1, (hipMemcpyKind)7), hipErrorInvalidMemcpyDirection);
    IS(hipMemcpyAsync(to, from, 1, hipMemcpyDefault, (hipStream_t)from),
       hipErrorContextIsDestroyed);
    OK(hipMemcpy(to, from, 8, hipMemcpyHostToDevice));
}

const struct rule copy_rules[] = {
    RULE(pinned_is_read_when_done),
    RULE(small_pageable_is_read_at_the_call),
    RULE(larger_pageable_is_waited_for),
    RULE(to_pageable_is_waited_for),
    RULE(to_pinned_is_not_waited_for),
    RULE(between_pageable_drains_the_stream),
    RULE(registered_is_pinned),
    RULE(no_bytes_are_nothing),
    RULE(memcpy_within_a_device_does_not_wait),
    RULE(memcpy_from_pinned_waits),
    RULE(memcpy_between_devices_waits),
    RULE(with_stream_waits_for_its_stream),
    RULE(a_copy_goes_to_the_memorys_device),
    RULE(a_moved_copy_is_behind_its_stream),
    RULE(a_peer_copy_is_in_its_stream),
    RULE(without_peers_the_host_waits),
    RULE(rows_leave_the_gaps),
    RULE(slices_leave_the_gaps),
    RULE(a_small_pageable_box_is_staged),
    RULE(copies_are_checked),
    {0},
};
