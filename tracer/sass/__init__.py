"""What the machine code of NVIDIA kernels does with their parameters, read without a GPU."""
