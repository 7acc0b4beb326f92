// Captures: none yet, so nothing is refused for one.
#include "standin.h"

bool is_capturing(const struct stream *stream) { return stream->capture; }
hipError_t refuse_while_capturing(void) { return hipSuccess; }
hipError_t refuse_unsafe(void) { return hipSuccess; }
hipError_t refuse_event_of_capture(struct event *event) {
    return event ? hipSuccess : hipErrorInvalidHandle;
}
