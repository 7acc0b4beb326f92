"""JAX and CuPy share arrays by DLPack while CuPy works on a stream of its own.

python jax_dlpack.py race|fixed|blocked

DLPack orders the one who takes an array behind the giver's current stream, and lets the taker's
current stream wait for the giver: no other stream of either. `race` fills and reads on another one,
`fixed` makes it the current one as the array changes hands, `blocked` has the host wait instead.
"""

import contextlib
import sys

import cupy
import cupyx
import jax
import jax.numpy as jnp
import numpy as np

HOW, N = sys.argv[1], 1 << 20


@jax.jit
def doubled(given: jax.Array) -> jax.Array:
    return given * 2


def main() -> None:
    doubled(jnp.zeros(N, jnp.float32)).block_until_ready()  # compiled
    host, read = cupyx.empty_pinned(N, "f4"), cupyx.empty_pinned(N, "f4")
    filled, host[:] = cupy.zeros(N, "f4"), 1
    cupy.cuda.Device().synchronize()
    stream = cupy.cuda.Stream(non_blocking=True)
    current = stream if HOW == "fixed" else contextlib.nullcontext()

    filled.set(host, stream=stream)  # CuPy's, for JAX
    if HOW == "blocked":
        stream.synchronize()
    with current:
        taken = jnp.from_dlpack(filled)
    print(float(np.asarray(taken).sum()))

    made = doubled(taken)  # JAX's, for CuPy
    put = jax.device_put(np.full(N, 3, np.float32))
    if HOW == "blocked":
        jax.block_until_ready((made, put))
    with current:
        seen = cupy.from_dlpack(made), cupy.from_dlpack(put)
    for array in seen:
        array.get(stream=stream, out=read)
        stream.synchronize()
        print(float(read.sum()))


if __name__ == "__main__":
    main()
