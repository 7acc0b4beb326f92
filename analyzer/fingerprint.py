"""What makes two findings the same from run to run: no line, address, time or op id goes in."""

import hashlib
import re
from collections.abc import Iterable

# Copies of a function that a compiler makes as it sees fit, as symbol tables and demanglers say it.
_CLONE = re.compile(
    r"(?: \[clone [^\]]*\]"
    r"|\.(?:constprop|isra|part|cold|lto_priv|localalias|llvm|__uniq)(?:\.\d+)*)+$"
)
_SO_VERSION = re.compile(r"(\.so)(\.\d+)+$")
_NUMBER = re.compile(r"\d+")


def stable_id(parts: Iterable[str]) -> str:
    """8 hex digits of these words."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()[:8]


def frame(function: str, file: str) -> str:
    """A frame without line and folder: checkouts have other paths, libraries other versions."""
    name = _SO_VERSION.sub(r"\1", file.rpartition("/")[2])
    return f"{_CLONE.sub('', function)}@{name}"


def buffer(name: str) -> str:
    """A buffer's name without its numbers: of layers, of a scheduler's copies."""
    return _NUMBER.sub("#", name)
