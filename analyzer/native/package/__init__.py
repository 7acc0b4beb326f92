"""synctrace: race detector and synchronization profiler for GPU host code."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synctrace.analyzer.api import check, open, open_trace, record
    from synctrace.tracer.annotations import (
        acquire,
        host_read,
        host_write,
        mark,
        range,
        release,
    )
    from synctrace.tracer.cupy import api as cupy  # noqa: F401 - not in __all__: it needs CuPy

__all__ = [
    "acquire",
    "check",
    "get_include",
    "host_read",
    "host_write",
    "mark",
    "open",
    "open_trace",
    "range",
    "record",
    "release",
]

_ANNOTATIONS = ("acquire", "host_read", "host_write", "mark", "range", "release")


def get_include() -> str:
    """Folder of synctrace.h, the annotations for C and C++."""
    from importlib.resources import files

    return str(files("synctrace") / "include")


def __getattr__(name: str) -> Any:
    """Load each part at first use: `import synctrace` alone costs nothing."""
    if name in _ANNOTATIONS:
        from synctrace.tracer import annotations

        return getattr(annotations, name)
    if name in __all__ or name == "__version__":
        from synctrace.analyzer import api

        return getattr(api, name)
    if name == "cupy":  # raises ImportError without CuPy, hence not in __all__
        from synctrace.tracer.cupy import api as cupy_api

        return cupy_api
    raise AttributeError(f"module 'synctrace' has no attribute {name!r}")
