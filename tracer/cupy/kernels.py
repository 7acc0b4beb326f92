"""Kernels of CuPy programs, recorded with what their caller says that they read and write."""

from contextlib import AbstractContextManager
from typing import Any

from synctrace.tracer import tell
from synctrace.tracer.cupy.importing import cupy
from synctrace.tracer.cupy.lanes import lane_of, on_arrays
from synctrace.tracer.cupy.places import Arrays
from synctrace.tracer.kinds import Kind

tell.hide(__file__)


def kernel(
    stream: Any = None, reads: Arrays = (), writes: Arrays = (), name: str = "kernel"
) -> AbstractContextManager[None]:
    """What runs inside of `with` is one kernel on this stream, or several that touch these arrays.

        with synctrace.cupy.kernel(stream, reads=[a, b], writes=[c]), stream:
            cupy.add(a, b, out=c)

    `reads` and `writes`: arrays, or a dict of arrays by the name that reports give them. The stream
    has to be the current one in CuPy too. Temporary arrays are nobody else's, and need no word.
    """
    return on_arrays(Kind.KERNEL, lane_of(stream), reads, writes, name=name)


def launch(
    stream: Any,
    kernel: Any,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    args: tuple[Any, ...],
    *,
    reads: Arrays | None = None,
    writes: Arrays | None = None,
    **options: Any,
) -> None:
    """Launch a `cupy.RawKernel` on a stream (None: the current one), and tell what it touches.

    Without `reads` and `writes` every array of `args` may be read, written or neither: a race with
    such an access is a warning. `options`: those of the kernel's own call (shared_mem, …).
    """
    if stream is None:
        stream = cupy.cuda.get_current_stream()
    may = args if reads is None and writes is None else ()
    name = getattr(kernel, "name", None)
    run = kernel.plain_call if isinstance(kernel, RawKernel) else kernel
    with (
        stream,
        on_arrays(Kind.KERNEL, lane_of(stream), reads or (), writes or (), may, name),
    ):
        run(grid, block, args, **options)


class RawKernel(cupy.RawKernel):
    """`cupy.RawKernel` whose calls are recorded: every array of the arguments may be touched."""

    def __call__(
        self, grid: tuple[int, ...], block: tuple[int, ...], args: tuple[Any, ...], **options: Any
    ) -> None:
        with on_arrays(Kind.KERNEL, lane_of(), may=args, name=self.name):
            super().__call__(grid, block, args, **options)

    def plain_call(self, *args: Any, **options: Any) -> None:
        """CuPy's own call, which tells nothing."""
        super().__call__(*args, **options)
