"""CuPy's calls, recorded: what `synctrace.cupy` is made of."""
