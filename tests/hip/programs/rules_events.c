// Rules of events: a wait binds to the last record at its call.
#include "rules.h"

static hipEvent_t event(void) {
    hipEvent_t made;
    OK(hipEventCreateWithFlags(&made, hipEventDisableTiming));
    return made;
}

static void a_wait_is_behind_the_record(void) {
    hipStream_t first = non_blocking(), second = non_blocking();
    hipEvent_t e = event();
    hold(first, 0);
    OK(hipEventRecord(e, first));
    OK(hipStreamWaitEvent(second, e, 0));
    int flag = raise_in(second);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void a_wait_is_for_the_record_alone(void) {
    hipStream_t first = non_blocking(), second = non_blocking();
    hipEvent_t e = event();
    hold(first, 0);
    OK(hipEventRecord(e, first));
    hold(first, 1); // behind the record
    OK(hipStreamWaitEvent(second, e, 0));
    int flag = raise_in(second);
    open_gate(0);
    runs(flag);
}

static void a_wait_binds_at_its_call(void) {
    hipStream_t first = non_blocking(), later = non_blocking(), waiting = non_blocking();
    hipEvent_t e = event();
    hold(first, 0);
    hold(later, 1);
    OK(hipEventRecord(e, first));
    OK(hipStreamWaitEvent(waiting, e, 0));
    OK(hipEventRecord(e, later)); // means nothing to the wait before it
    int flag = raise_in(waiting);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
    IS(hipEventQuery(e), hipErrorNotReady);
}

static void a_wait_before_the_record_is_none(void) {
    hipStream_t first = non_blocking(), second = non_blocking();
    hipEvent_t e = event();
    hold(first, 0);
    OK(hipStreamWaitEvent(second, e, 0));
    OK(hipEventRecord(e, first));
    runs(raise_in(second));
}

static void never_recorded_is_complete(void) {
    hipEvent_t e = event();
    OK(hipEventQuery(e));
    OK(hipEventSynchronize(e));
}

static void synchronize(void *event) { OK(hipEventSynchronize(event)); }
static void synchronize_waits_for_the_record(void) {
    hipStream_t s = non_blocking();
    hipEvent_t e = event();
    hold(s, 0);
    OK(hipEventRecord(e, s));
    hold(s, 1); // not for what is behind it
    IS(hipEventQuery(e), hipErrorNotReady);
    must_block(synchronize, e);
    OK(hipEventQuery(e));
}

static void a_record_in_legacy_is_behind_blocking(void) {
    hipStream_t s = non_blocking();
    hipEvent_t e = event();
    hold(blocking(), 0);
    OK(hipEventRecord(e, NULL));
    OK(hipStreamWaitEvent(s, e, 0));
    int flag = raise_in(s);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void a_wait_in_legacy_holds_blocking(void) {
    hipStream_t first = non_blocking(), second = blocking();
    hipEvent_t e = event();
    hold(first, 0);
    OK(hipEventRecord(e, first));
    OK(hipStreamWaitEvent(NULL, e, 0));
    int flag = raise_in(second);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void a_wait_reaches_across_devices(void) {
    hipStream_t near = non_blocking();
    hipEvent_t e = event();
    hold(near, 0);
    OK(hipEventRecord(e, near));
    OK(hipSetDevice(1));
    hipStream_t far = non_blocking();
    OK(hipStreamWaitEvent(far, e, 0));
    int flag = raise_in(far);
    CHECK(is_held(flag));
    IS(hipEventRecord(e, far), hipErrorInvalidHandle);
    open_gate(0);
    runs(flag);
}

static void a_destroyed_event_keeps_its_waits(void) {
    hipStream_t first = non_blocking(), second = non_blocking();
    hipEvent_t e = event();
    hold(first, 0);
    OK(hipEventRecord(e, first));
    OK(hipStreamWaitEvent(second, e, 0));
    OK(hipEventDestroy(e));
    int flag = raise_in(second);
    CHECK(is_held(flag));
    open_gate(0);
    runs(flag);
}

static void a_destroyed_stream_leaves_its_record(void) {
    hipStream_t s = non_blocking();
    hipEvent_t e = event();
    OK(hipEventRecord(e, s));
    OK(hipStreamDestroy(s));
    OK(hipEventQuery(e));
    OK(hipStreamWaitEvent(NULL, e, 0));
}

static void elapsed_time_needs_both(void) {
    hipStream_t s = non_blocking();
    hipEvent_t start, stop, untimed = event();
    float ms = -1;
    OK(hipEventCreate(&start));
    OK(hipEventCreate(&stop));
    OK(hipEventRecord(start, s));
    IS(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle);
    hold(s, 0);
    OK(hipEventRecord(stop, s));
    IS(hipEventElapsedTime(&ms, start, stop), hipErrorNotReady);
    open_gate(0);
    OK(hipStreamSynchronize(s));
    OK(hipEventElapsedTime(&ms, start, stop));
    CHECK(ms >= 0);
    OK(hipEventRecord(untimed, s));
    IS(hipEventElapsedTime(&ms, start, untimed), hipErrorInvalidHandle);
}

static void flags_are_checked(void) {
    hipEvent_t e;
    OK(hipEventCreateWithFlags(&e, hipEventDisableSystemFence | hipEventBlockingSync));
    OK(hipEventCreateWithFlags(&e, hipEventReleaseToSystem));
    unsigned both = hipEventReleaseToSystem | hipEventReleaseToDevice;
    IS(hipEventCreateWithFlags(&e, both), hipErrorInvalidValue);
    IS(hipEventCreateWithFlags(&e, 8), hipErrorInvalidValue);
    IS(hipEventCreateWithFlags(&e, hipEventInterprocess), hipErrorInvalidValue);
    IS(hipEventRecord(NULL, NULL), hipErrorInvalidHandle);
}

static void an_opened_event_is_the_same(void) {
    hipStream_t s = non_blocking();
    hipEvent_t e, opened;
    hipIpcEventHandle_t handle;
    IS(hipIpcGetEventHandle(&handle, event()), hipErrorInvalidValue);
    OK(hipEventCreateWithFlags(&e, hipEventInterprocess | hipEventDisableTiming));
    OK(hipIpcGetEventHandle(&handle, e));
    OK(hipIpcOpenEventHandle(&opened, handle));
    CHECK(opened != e);
    hold(s, 0);
    OK(hipEventRecord(e, s));
    IS(hipEventQuery(opened), hipErrorNotReady);
    OK(hipEventDestroy(e));
    must_block(synchronize, opened);
    OK(hipEventDestroy(opened));
}

const struct rule event_rules[] = {
    RULE(a_wait_is_behind_the_record),
    RULE(a_wait_is_for_the_record_alone),
    RULE(a_wait_binds_at_its_call),
    RULE(a_wait_before_the_record_is_none),
    RULE(never_recorded_is_complete),
    RULE(synchronize_waits_for_the_record),
    RULE(a_record_in_legacy_is_behind_blocking),
    RULE(a_wait_in_legacy_holds_blocking),
    RULE(a_wait_reaches_across_devices),
    RULE(a_destroyed_event_keeps_its_waits),
    RULE(a_destroyed_stream_leaves_its_record),
    RULE(elapsed_time_needs_both),
    RULE(flags_are_checked),
    RULE(an_opened_event_is_the_same),
    {0},
};
