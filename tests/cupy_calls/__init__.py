"""CuPy programs that record themselves, and the scheduler on CuPy, without a GPU."""
