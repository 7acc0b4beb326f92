"""Calls of HIP by ctypes within ranges of the package nvtx, as programs use it."""

import ctypes

import nvtx

hip = ctypes.CDLL("libamdhip64.so.7")
stream, event = ctypes.c_void_p(), ctypes.c_void_p()
hip.hipStreamCreateWithFlags(ctypes.byref(stream), 1)
hip.hipEventCreateWithFlags(ctypes.byref(event), 2)


def call() -> None:
    hip.hipEventRecord(event, stream)


@nvtx.annotate("decorated", color="purple")
def decorated() -> None:
    call()  # decorated


with nvtx.annotate("outer", payload=7):
    call()  # outer
    with nvtx.annotate("größe ☃", domain="library"):
        call()  # outer/library: größe ☃
    decorated()
nvtx.push_range("pushed")
call()  # pushed
nvtx.pop_range()
span = nvtx.start_range(message="span", domain="library")
call()  # library: span
nvtx.end_range(span)
domain = nvtx.get_domain("fast")
domain.push_range(domain.get_event_attributes(message="step"))
call()  # fast: step
domain.pop_range()
nvtx.mark("here")
call()  #
