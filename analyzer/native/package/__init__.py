"""synctrace: race detector and synchronization profiler for GPU host code."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synctrace.analyzer.api import check, open_trace

__all__ = ["check", "open_trace"]


def __getattr__(name: str) -> Any:
    """Load the API at first use: `import synctrace` alone costs nothing."""
    if name in __all__ or name == "__version__":
        from synctrace.analyzer import api

        return getattr(api, name)
    raise AttributeError(f"module 'synctrace' has no attribute {name!r}")
