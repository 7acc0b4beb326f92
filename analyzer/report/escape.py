"""Names come from the recorded program: what a terminal, a runner or a parser would obey is shown.

Each format escapes besides what has a meaning in its own syntax.
"""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")

# Control characters, ends of lines, marks that turn the direction of text or are no text at all.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff"
    "\ud800-\udfff]"
)


def shown(text: str) -> str:
    """The text on one line, what cannot be seen as `\\n` or `\\x1b`."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def as_json(text: str) -> str:
    """JSON text that means the same, what cannot be seen in it as escapes of JSON."""
    return _UNSEEN.sub(
        lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text
    )


def printable(value: T) -> T:
    """The same data, every text in it as `shown`."""
    made: Any = value
    if isinstance(value, str):
        made = shown(value)
    elif isinstance(value, tuple):
        # Ids of ops: there can be very many, and nothing in them is text.
        numbers = bool(value) and isinstance(value[0], int)
        made = value if numbers else tuple(printable(each) for each in value)
    elif isinstance(value, Mapping):
        made = {printable(key): printable(each) for key, each in value.items()}
    elif is_dataclass(value) and not isinstance(value, type):
        made = replace(value, **{f.name: printable(getattr(value, f.name)) for f in fields(value)})
    return made  # type: ignore[no-any-return]
