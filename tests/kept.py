"""What takes long to build is built once, and kept under .cache by what goes into it."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path


def built_once(folder: Path, fill: Callable[[Path], None]) -> Path:
    """`folder`, filled by `fill` in another one and renamed unless it is there: several workers may
    want it at once. What `fill` raises is raised.
    """
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        fill(making)
        making.chmod(0o755)
        making.rename(folder)
    except OSError:  # another process was first
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder
