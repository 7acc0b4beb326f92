// Launches with attributes: attributes PART. What each part is for stands in test_launches.py.
#include "launches.h"

static CUlaunchAttribute dependent(int allowed) {
    CUlaunchAttribute made = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION};
    made.value.programmaticStreamSerializationAllowed = allowed;
    return made;
}
static CUlaunchAttribute at_start(CUevent event) {
    CUlaunchAttribute made = {.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT};
    made.value.launchCompletionEvent.event = event;
    return made;
}
static CUlaunchAttribute at_trigger(CUevent event) {
    CUlaunchAttribute made = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT};
    made.value.programmaticEvent.event = event;
    return made;
}
static CUlaunchAttribute urgent(void) {
    CUlaunchAttribute made = {.id = CU_LAUNCH_ATTRIBUTE_PRIORITY};
    made.value.priority = 6;
    return made;
}
static CUevent new_event(void) {
    CUevent event;
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    return event;
}
#define WITH(stream, ...)                                                                          \
    &(CUlaunchConfig) {                                                                            \
        1, 1, 1, 1, 1, 1, 0, stream, (CUlaunchAttribute[]){__VA_ARGS__},                           \
            sizeof((CUlaunchAttribute[]){__VA_ARGS__}) / sizeof(CUlaunchAttribute)                 \
    }

static void flags(void) {
    CUlaunchConfig *fewer = WITH(first, urgent(), dependent(1));
    fewer->numAttrs = 1;
    OK(cuLaunchKernelEx(WITH(first, dependent(1)), fill, of_fill, NULL));
    OK(cuLaunchKernelEx(WITH(first, urgent(), dependent(1)), fill, of_fill, NULL));
    OK(cuLaunchKernelEx(WITH(first, dependent(0)), fill, of_fill, NULL));
    OK(cuLaunchKernelEx(fewer, fill, of_fill, NULL));
    OK(cuLaunchKernelEx(&(CUlaunchConfig){1, 1, 1, 1, 1, 1, 0, first, NULL, 0}, fill, of_fill,
                        NULL));
    OK(cuLaunchKernelEx_ptsz(WITH(NULL, dependent(1)), fill, of_fill, NULL));
}

static void events(void) {
    CUevent start = new_event(), trigger = new_event();
    OK(cuLaunchKernelEx(WITH(first, at_start(start)), fill, of_fill, NULL));
    OK(cuLaunchKernelEx(WITH(first, at_trigger(trigger)), fill, of_fill, NULL));
    OK(cuLaunchKernelEx(WITH(first, at_start(start), dependent(1), at_trigger(trigger)), fill,
                        of_fill, NULL));
    cuLaunchKernelEx(WITH(first, at_start(start)), NULL, of_fill, NULL); // fails
}

// The second stream is part of the capture by an event of a launch alone.
static void captured(CUlaunchAttribute attribute, CUevent event) {
    CUgraph graph;
    CUgraphExec made;
    CUevent joined = new_event();
    OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuLaunchKernelEx(WITH(first, dependent(1), attribute), fill, of_fill, NULL));
    OK(cuStreamWaitEvent(second, event, 0));
    OK(cuLaunchKernel(pass, 1, 1, 1, 1, 1, 1, 0, second, of_pass, NULL));
    OK(cuEventRecord(joined, second));
    OK(cuStreamWaitEvent(first, joined, 0));
    OK(cuStreamEndCapture(first, &graph));
    OK(cuGraphInstantiateWithFlags(&made, graph, 0));
    OK(cuGraphLaunch(made, first));
}

// One stream fills x, which the other passes on when `event` has fired.
static void read_behind(CUlaunchAttribute attribute, CUevent event, bool recorded) {
    OK(cuLaunchKernelEx(WITH(first, attribute), fill, of_fill, NULL));
    if (recorded)
        OK(cuEventRecord(event, first));
    OK(cuStreamWaitEvent(second, event, 0));
    OK(cuLaunchKernel(pass, 1, 1, 1, 1, 1, 1, 0, second, of_pass, NULL));
}

// The kernel behind the fill touches neither.
static void read_before(CUlaunchAttribute attribute, CUevent event) {
    CUdeviceptr other;
    void *of_other[] = {&other, &seven};
    OK(cuMemAlloc(&other, BYTES));
    OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, first, of_fill, NULL));
    OK(cuLaunchKernelEx(WITH(first, attribute), fill, of_other, NULL));
    OK(cuStreamWaitEvent(second, event, 0));
    OK(cuLaunchKernel(pass, 1, 1, 1, 1, 1, 1, 0, second, of_pass, NULL));
}

// The host refills pinned memory that a kernel reads in place.
static void refilled(CUlaunchAttribute attribute, CUevent event, bool recorded) {
    uint32_t *pinned;
    OK(cuMemHostAlloc((void **)&pinned, BYTES, 0));
    memset(pinned, 1, BYTES);
    void *of_pinned[] = {&pinned, &y};
    OK(cuLaunchKernelEx(WITH(first, attribute), pass, of_pinned, NULL));
    if (recorded)
        OK(cuEventRecord(event, first));
    OK(cuEventSynchronize(event));
    memset(pinned, 2, BYTES);
    OK(cuStreamSynchronize(first));
}

int main(int count, char **word) {
    const char *part = count > 1 ? word[1] : "";
    begin();
    CUevent event = new_event();
    if (!strcmp(part, "flags"))
        flags();
    else if (!strcmp(part, "events"))
        events();
    else if (!strcmp(part, "captured-start"))
        captured(at_start(event), event);
    else if (!strcmp(part, "captured-trigger"))
        captured(at_trigger(event), event);
    else if (!strcmp(part, "start"))
        read_behind(at_start(event), event, false);
    else if (!strcmp(part, "start-then-end"))
        read_behind(at_start(event), event, true);
    else if (!strcmp(part, "trigger"))
        read_behind(at_trigger(event), event, false);
    else if (!strcmp(part, "before-start"))
        read_before(at_start(event), event);
    else if (!strcmp(part, "refilled-at-start"))
        refilled(at_start(event), event, false);
    else if (!strcmp(part, "refilled-at-end"))
        refilled(at_start(event), event, true);
    else
        return 2;
    OK(cuCtxSynchronize());
    return 0;
}
