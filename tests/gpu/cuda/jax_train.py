"""JAX: a jit'ed training step with donated parameters, arrays to the device and back, a callback.

python jax_train.py
"""

import hashlib
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

STEPS, WIDTH, BATCH = 12, 256, 64
Parameters = list[tuple[jax.Array, jax.Array]]


def loss(parameters: Parameters, given: jax.Array, wanted: jax.Array) -> jax.Array:
    for weight, bias in parameters:
        given = jnp.tanh(given @ weight + bias)
    return jnp.mean((given - wanted) ** 2)


@partial(jax.jit, donate_argnums=0)
def step(
    parameters: Parameters, given: jax.Array, wanted: jax.Array
) -> tuple[Parameters, jax.Array]:
    value, gradients = jax.value_and_grad(loss)(parameters, given, wanted)
    return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients), value


@jax.jit
def until_small(given: jax.Array) -> jax.Array:
    """A loop whose end the host must know."""
    return jax.lax.while_loop(lambda x: jnp.sum(x * x) > 1, lambda x: jnp.sin(x) * 0.9, given)


@jax.jit
def by_the_host(given: jax.Array) -> jax.Array:
    out = jax.ShapeDtypeStruct(given.shape, given.dtype)
    return jax.pure_callback(lambda x: np.asarray(x) * 2, out, given) + 1


def main() -> None:
    random = np.random.default_rng(1)
    scale = WIDTH**-0.5
    parameters = [
        (
            jnp.asarray(random.standard_normal((WIDTH, WIDTH)) * scale, jnp.float32),
            jnp.zeros(WIDTH, jnp.float32),
        )
        for _ in range(4)
    ]
    wanted = jax.device_put(random.standard_normal((BATCH, WIDTH)).astype(np.float32))
    for turn in range(STEPS):
        batch = jax.device_put(random.standard_normal((BATCH, WIDTH)).astype(np.float32))
        parameters, value = step(parameters, batch, wanted)
        if turn % 4 == 3:
            print(float(value))
    large = jax.device_put(np.arange(1 << 20, dtype=np.float32))
    doubled = large * 2
    doubled.copy_to_host_async()
    ordered = jnp.sort(-large)
    print(np.asarray(doubled)[-1], np.asarray(ordered)[0], float(until_small(wanted)[0, 0]))
    print(np.asarray(by_the_host(jnp.arange(8.0)))[-1])
    pinned, device = (
        jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind=kind)
        for kind in ("pinned_host", "device")
    )
    print(float(jax.device_put(jax.device_put(large, pinned), device)[-1]))
    digest = hashlib.sha256()
    for leaf in jax.tree.leaves(parameters):
        digest.update(np.asarray(leaf).tobytes())
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
