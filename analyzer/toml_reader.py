"""Reads TOML whole or refuses it: errors name the file, the place in it and what was expected."""

import tomllib
from collections.abc import Collection, Mapping
from enum import Enum
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from synctrace.tracer.errors import SynctraceError

Name = TypeVar("Name", bound=Enum)
_NAMES: dict[type, str] = {str: "text", list: "a list", dict: "a table", int: "a whole number"}


@cache
def _by_name(of: type[Name]) -> dict[str, Name]:
    return {str(member.name).lower(): member for member in of}


class TomlReader:
    """Checks one file. `where` is the part being read, for errors."""

    def __init__(self, path: Path | Traversable, what: str) -> None:
        self.path = path
        self.what = what
        self.where = "the head"

    def read(self) -> dict[str, Any]:
        """The file's tables. Raises SynctraceError if it cannot be read or is not TOML."""
        try:
            return tomllib.loads(self.path.read_text(encoding="utf-8"))
        except OSError as error:
            reason = error.strerror
            raise SynctraceError(f"cannot read {self.what} {self.path} ({reason})") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SynctraceError(f"{self.what} {self.path} is not TOML: {error}") from error

    def keys(
        self, data: Mapping[str, Any], known: set[str], needed: set[str], otherwise: str = ""
    ) -> None:
        """All keys are known and none that is needed is missing.

        `otherwise`: what may be done instead of adding it.
        """
        for key in data:
            if key not in known:
                self.expect(f"has the unknown key {key!r}", sorted(known))
        if missing := sorted(needed - set(data)):
            self.fail(f"has no key {', '.join(map(repr, missing))}: add it{otherwise}")

    def names(self, value: Any, of: type[Name], key: str, least: int = 0) -> tuple[Name, ...]:
        """At least so many members of an enumeration, in lower case; each counts once."""
        values = self.of_type(value, list, key)
        if least > len(values):
            self.fail(f"has {key} = []: expected at least {least}")
        by_name = _by_name(of)
        return tuple(dict.fromkeys(by_name[self.one_of(v, by_name, key)] for v in values))

    def one_of(self, value: Any, known: Collection[str], key: str) -> str:
        """One of these words."""
        if not isinstance(value, str) or value not in known:
            self.expect(f"has {key} = {value!r}", known)
        return str(value)

    def of_type(self, value: Any, of: type, key: str) -> Any:
        """A value of this type; true and false are no numbers."""
        if not isinstance(value, of) or isinstance(value, bool):
            self.fail(f"has {key} = {value!r}: expected {_NAMES[of]}")
        return value

    def text(self, value: Any, key: str, without: str = "") -> str:
        """Text that says something, and holds none of these characters."""
        told = str(self.of_type(value, str, key))
        if not told.strip() or not told.isprintable():
            self.fail(f"has {key} = {told!r}: expected printable text")
        if any(character in told for character in without):
            self.fail(f"has {key} = {told!r}: expected text without {' or '.join(without)}")
        return told

    def expect(self, what: str, expected: Collection[str]) -> None:
        """Raise SynctraceError: one of these was expected."""
        self.fail(f"{what}: expected one of {', '.join(expected)}")

    def fail(self, what: str) -> None:
        """Raise SynctraceError: what is wrong at the part being read."""
        raise SynctraceError(f"{self.what} {self.path}: {self.where} {what}")
