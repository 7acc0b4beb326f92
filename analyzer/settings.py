"""Settings in a file: [tool.synctrace] of pyproject.toml, or synctrace.toml.

Options of commands are kept as they stand; what they may be, the commands know (defaults.py).
"""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from synctrace.analyzer.budget import ITERATION, JUDGES, MEASURES, Allowance, Budget
from synctrace.analyzer.rule import rule_ids
from synctrace.analyzer.suppression import Suppression
from synctrace.analyzer.toml_reader import TomlReader

OWN, PYPROJECT = "synctrace.toml", "pyproject.toml"
TABLE = "tool.synctrace"


@dataclass(frozen=True)
class Settings:
    """What one file says. `path` as it is told, empty: no file; `options` by command, "": common.

    Paths among the options are meant from `folder`.
    """

    path: str = ""
    folder: Path = Path()
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    suppressions: tuple[Suppression, ...] = ()
    budget: Budget | None = None


NO_SETTINGS = Settings()


def find(start: Path) -> Path | None:
    """The file of the first folder that has one: this or one above, up to a repository's.

    Raises SynctraceError for a pyproject.toml that is no TOML, and for a folder with two files.
    """
    for folder in (start, *start.parents):
        own, shared = folder / OWN, folder / PYPROJECT
        has_table = shared.is_file() and _has_table(shared)
        if own.is_file() and has_table:
            reader = TomlReader(own, "settings")
            reader.where = "the file"
            reader.fail(f"stands beside {PYPROJECT} with [{TABLE}]: keep one of them")
        if own.is_file() or has_table:
            return own if own.is_file() else shared
        if (folder / ".git").exists():
            break
    return None


def read(path: Path, commands: Collection[str]) -> Settings:
    """Settings of this file. Raises SynctraceError for what is wrong.

    `commands`: those that may have a table.
    """
    reader = TomlReader(path, "settings")
    data = reader.read()
    prefix = f"{TABLE}." if path.name == PYPROJECT else ""
    if path.name == PYPROJECT:
        table = _table_of(data)
        if table is None:
            reader.where = "the file"
            reader.fail(f"has no table [{TABLE}]: add it, or give another file")
        data = table or {}
    elif "tool" in data:
        reader.where = "the file"
        reader.fail(f"has [{TABLE}]: outside of {PYPROJECT} leave `{TABLE}` away")
    options: dict[str, Mapping[str, Any]] = {}
    for name in commands:
        reader.where = f"[{prefix}{name}]"
        options[name] = reader.of_type(data.get(name, {}), dict, name)
    rest = {key: value for key, value in data.items() if key not in commands}
    suppressions = _suppressions(reader, rest.pop("suppress", []), f"{prefix}suppress")
    budget = _budget(reader, rest.pop("budget", None), f"{prefix}budget")
    return Settings(str(path), path.parent, {"": rest, **options}, suppressions, budget)


def _has_table(pyproject: Path) -> bool:
    """What does not name us has no table of ours, and may be as broken as it likes."""
    with suppress(OSError):  # the reader says so
        if b"synctrace" not in pyproject.read_bytes():
            return False
    return _table_of(TomlReader(pyproject, "settings").read()) is not None


def _table_of(pyproject: Mapping[str, Any]) -> dict[str, Any] | None:
    tool = pyproject.get("tool")
    table = tool.get("synctrace") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def _suppressions(reader: TomlReader, value: Any, name: str) -> tuple[Suppression, ...]:
    reader.where = f"[[{name}]]"
    found = []
    for number, table in enumerate(reader.of_type(value, list, "suppress"), start=1):
        reader.where = f"[[{name}]] {number}"
        found.append(_suppression(reader, reader.of_type(table, dict, "suppress")))
    return tuple(found)


def _suppression(reader: TomlReader, table: Mapping[str, Any]) -> Suppression:
    texts = ("id", "rule", "site", "buffer")
    reader.keys(table, {*texts, "reason", "until"}, {"reason"})
    given = {key: reader.text(table[key], key) for key in texts if key in table}
    reason = reader.text(table["reason"], "reason")
    if "id" in given and len(given) > 1:
        reader.fail("has an id and more: an id says which finding it is, leave the others out")
    if "id" in given and not re.fullmatch("[0-9a-f]{8}", given["id"]):
        reader.fail(
            f"has id = {given['id']!r}: expected 8 hexadecimal digits, as reports have them"
        )
    if "id" not in given:
        _need_rule(reader, given)
    until = table.get("until")
    if until is not None and (not isinstance(until, date) or isinstance(until, datetime)):
        reader.fail(f"has until = {until!r}: expected a date, 2027-01-31 without quotes")
    rule = given.pop("rule", "").upper()
    return Suppression(reason=reason, rule=rule, until=until, **given)


def _need_rule(reader: TomlReader, given: Mapping[str, str]) -> None:
    if "rule" not in given:
        reader.fail("has neither id nor rule: say which finding, or which rule")
    rule = given["rule"].upper()
    if "TRACE".startswith(rule) or rule.startswith("TRACE"):
        reader.fail("has a rule of family trace: lost data and coverage cannot be suppressed")
    if not any(id_.startswith(rule) for id_ in rule_ids()):
        reader.expect(f"has rule = {given['rule']!r}", rule_ids())
    if not given.keys() & {"site", "buffer"}:
        reader.fail(f"has a rule without site or buffer: to leave out a rule, `ignore = {rule!r}`")


def _budget(reader: TomlReader, value: Any, name: str) -> Budget | None:
    if value is None:
        return None
    reader.where = f"[{name}]"
    table = reader.of_type(value, dict, "budget")
    reader.keys(table, {*MEASURES, "judge", "iteration", "allow"}, set())
    limits = {key: _limit(reader, table[key], key) for key in MEASURES if key in table}
    if not limits:
        reader.expect("has no limit", MEASURES)
    judge = reader.one_of(table.get("judge", JUDGES[0]), JUDGES, "judge")
    iteration = reader.text(table["iteration"], "iteration") if "iteration" in table else ITERATION
    allowances = []
    for number, each in enumerate(reader.of_type(table.get("allow", []), list, "allow"), start=1):
        reader.where = f"[[{name}.allow]] {number}"
        allowance = reader.of_type(each, dict, "allow")
        reader.keys(allowance, {"site", "reason"}, {"site", "reason"})
        texts = {key: reader.text(allowance[key], key) for key in ("site", "reason")}
        allowances.append(Allowance(**texts))
    return Budget(limits, judge, iteration, tuple(allowances))


def _limit(reader: TomlReader, value: Any, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
        reader.fail(f"has {key} = {value!r}: expected a number from 0")
    return float(value)
