// Rules of streams: what a command comes after, and what the host waits for.
#include "rules.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void one_stream_is_in_order(void) {
    hipStream_t s = non_blocking();
    hold(s, 0);
    int flag = raise_in(s);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void streams_are_independent(void) {
    hipStream_t kinds[] = {blocking(), non_blocking(), hipStreamPerThread};
    hold(kinds[0], 0);
    runs(raise_in(kinds[1]));
    runs(raise_in(kinds[2]));
}

static void legacy_waits_for_blocking(void) {
    hold(blocking(), 0);
    int flag = raise_in(NULL);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void blocking_waits_for_legacy(void) {
    hipStream_t s = blocking();
    hold(hipStreamLegacy, 0);
    int flag = raise_in(s);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void non_blocking_and_legacy_do_not_wait(void) {
    hipStream_t s = non_blocking();
    hold(s, 0);
    runs(raise_in(NULL));
    hipStream_t other = non_blocking();
    hold(NULL, 1);
    runs(raise_in(other));
}

static void legacy_takes_a_snapshot(void) {
    hipStream_t s = blocking();
    hold(NULL, 0);
    int flag = raise_in(NULL);
    hold(s, 1); // behind the legacy stream, which does not come behind it in turn
    open_gate(0);
    runs(flag);
}

static void legacy_is_of_one_device(void) {
    OK(hipSetDevice(1));
    hipStream_t far = blocking();
    OK(hipSetDevice(0));
    hold(NULL, 0);
    runs(raise_in(far));
    hold(far, 1);
    open_gate(0);
    runs(raise_in(NULL));
    OK(hipSetDevice(1));
    int flag = raise_in(NULL);
    CHECK(is_held(flag));
    open_gate(1);
    runs(flag);
}

static void per_thread_is_blocking(void) {
    hold(hipStreamPerThread, 0);
    int flag = raise_in(NULL);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
    hold(NULL, 1);
    flag = raise_in(hipStreamPerThread);
    CHECK(is_held(flag));
    open_gate(1);
    runs(flag);
}

static void raise_in_own(void *unused) {
    (void)unused;
    runs(raise_in(hipStreamPerThread));
}
static void per_thread_is_of_one_thread(void) {
    hold(hipStreamPerThread, 0);
    in_thread(raise_in_own, NULL);
}
static void hold_own(void *unused) {
    (void)unused;
    hold(hipStreamPerThread, 0);
}
static void hold_own_and_end(void *unused) { in_thread(hold_own, unused); }
static void a_thread_ends_with_its_stream(void) { must_block(hold_own_and_end, NULL); }

static void no_stream_is_own_stream_in_spt(void) {
    char *from = pinned_bytes(8, 1), *to = device_bytes(8, 0);
    hipStream_t s = blocking();
    hold(s, 0); // the legacy stream would wait for it, the thread's own does not
    OK(hipMemcpyAsync_spt(to, from, 8, hipMemcpyHostToDevice, NULL));
    OK(hipStreamSynchronize_spt(NULL));
    CHECK(*to == 1);
}

static void a_query_of_legacy_is_a_marker(void) {
    hipStream_t held = blocking(), other = blocking();
    hold(held, 0);
    IS(hipStreamQuery(NULL), hipErrorNotReady);
    int flag = raise_in(other); // behind the marker, and so behind the first one
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void queries_tell(void) {
    hipStream_t s = non_blocking();
    OK(hipStreamQuery(s));
    hold(s, 0);
    IS(hipStreamQuery(s), hipErrorNotReady);
    IS(hipGetLastError(), hipErrorNotReady);
    open_gate(0);
    OK(hipStreamSynchronize(s));
    OK(hipStreamQuery(s));
}

static void synchronize(void *stream) { OK(hipStreamSynchronize(stream)); }
static void synchronize_waits(void) {
    hipStream_t s = non_blocking();
    hold(s, 0);
    must_block(synchronize, s);
}
static void synchronize_of_legacy_waits_for_blocking(void) {
    hold(non_blocking(), 1);
    OK(hipStreamSynchronize(NULL));
    hold(blocking(), 0);
    must_block(synchronize, NULL);
}

static void synchronize_device(void *unused) {
    (void)unused;
    OK(hipDeviceSynchronize());
}
static void device_synchronize_waits_for_all_of_it(void) {
    hold(non_blocking(), 0);
    must_block(synchronize_device, NULL);
}
static void device_synchronize_is_of_one_device(void) {
    hold(non_blocking(), 0);
    OK(hipSetDevice(1));
    OK(hipDeviceSynchronize());
}

static void destroy(void *stream) { OK(hipStreamDestroy(stream)); }
static void destroy_drains(void) {
    hipStream_t s = non_blocking();
    hold(s, 0);
    must_block(destroy, s);
    IS(hipStreamSynchronize(s), hipErrorContextIsDestroyed);
    IS(hipStreamDestroy(NULL), hipErrorInvalidHandle);
}
static void reset(void *unused) {
    (void)unused;
    OK(hipDeviceReset());
}
static void reset_ends_streams(void) {
    hipStream_t s = non_blocking();
    hold(s, 0);
    must_block(reset, NULL);
    IS(hipStreamQuery(s), hipErrorContextIsDestroyed);
    OK(hipMemset(device_bytes(8, 0), 1, 8));
}

// --- Host functions ---

static pthread_t called_on;
static int called;
static void note(void *data) {
    called_on = pthread_self();
    called = *(int *)data;
}
static void note_callback(hipStream_t stream, hipError_t status, void *data) {
    CHECK(stream && !status);
    note(data);
}
static void check_host_function(bool callback) {
    hipStream_t s = non_blocking();
    int data = 1;
    hold(s, 0);
    if (callback)
        OK(hipStreamAddCallback(s, note_callback, &data, 0));
    else
        OK(hipLaunchHostFunc(s, note, &data));
    data = 2; // it is read when it runs
    int flag = raise_in(s);
    CHECK(is_held(flag) && !called);
    open_gate(0);
    runs(flag);
    CHECK(called == 2 && !pthread_equal(called_on, pthread_self()));
}
static void host_functions_are_in_order(void) { check_host_function(false); }
static void callbacks_are_in_order(void) { check_host_function(true); }

static void wait_at_gate(void *unused) {
    (void)unused;
    pass_gate(0);
}
static void host_functions_hold_up_what_follows(void) {
    hipStream_t s = non_blocking();
    OK(hipLaunchHostFunc(s, wait_at_gate, NULL));
    int flag = raise_in(s);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void a_child_begins_anew(void) {
    hipStream_t s = blocking();
    char *bytes = device_bytes(1, 0);
    hold(s, 0);
    raise_in(NULL);
    pid_t child = fork();
    if (!child) {
        IS(hipStreamQuery(s), hipErrorContextIsDestroyed);
        runs(raise_in(NULL)); // nothing of the parent is waited for
        OK(hipMemset(bytes, 1, 1));
        OK(hipDeviceSynchronize());
        _exit(*bytes == 1 ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && !status && *bytes == 0);
}

static void streams_say_what_they_are(void) {
    hipStream_t s;
    unsigned flags = 9;
    int priority = 9, device = 9, least, greatest;
    unsigned long long one = 0, two = 0;
    OK(hipSetDevice(1));
    OK(hipStreamCreateWithPriority(&s, hipStreamNonBlocking, -5));
    OK(hipSetDevice(0));
    OK(hipStreamGetFlags(s, &flags));
    OK(hipStreamGetPriority(s, &priority));
    OK(hipStreamGetDevice(s, &device));
    OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(flags == hipStreamNonBlocking && priority == greatest && device == 1 && least == 1);
    OK(hipStreamGetId(s, &one));
    OK(hipStreamGetId(NULL, &two));
    CHECK(one != two && hipGetStreamDeviceId(s) == 1);
    IS(hipStreamCreateWithFlags(&s, 4), hipErrorInvalidValue);
}

const struct rule stream_rules[] = {
    RULE(one_stream_is_in_order),
    RULE(streams_are_independent),
    RULE(legacy_waits_for_blocking),
    RULE(blocking_waits_for_legacy),
    RULE(non_blocking_and_legacy_do_not_wait),
    RULE(legacy_takes_a_snapshot),
    RULE(legacy_is_of_one_device),
    RULE(per_thread_is_blocking),
    RULE(per_thread_is_of_one_thread),
    RULE(a_thread_ends_with_its_stream),
    RULE(no_stream_is_own_stream_in_spt),
    RULE(a_query_of_legacy_is_a_marker),
    RULE(queries_tell),
    RULE(synchronize_waits),
    RULE(synchronize_of_legacy_waits_for_blocking),
    RULE(device_synchronize_waits_for_all_of_it),
    RULE(device_synchronize_is_of_one_device),
    RULE(destroy_drains),
    RULE(reset_ends_streams),
    RULE(host_functions_are_in_order),
    RULE(callbacks_are_in_order),
    RULE(host_functions_hold_up_what_follows),
    RULE(a_child_begins_anew),
    RULE(streams_say_what_they_are),
    {0},
};
