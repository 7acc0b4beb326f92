"""Unmodified llama.cpp for ROCm, as it is released, on the stand-in HIP runtime, recorded whole.

It proves the recorder: each call is recorded once, at the right place, with its ranges, whichever
level it is of, and the program runs as it does alone; and the verdict on the calls that llama.cpp
really makes. Kernels do nothing here, so its tokens mean nothing, and nothing is proven of time. Only
a real GPU can prove that the runtime behaves as the stand-in does.
"""


