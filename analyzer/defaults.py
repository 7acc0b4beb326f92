"""Settings of options as click's defaults: checked by the options themselves before any runs."""

import difflib
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NoReturn

import click

from synctrace.analyzer.settings import NO_SETTINGS, PYPROJECT, TABLE, Settings, find, read
from synctrace.tracer.errors import SynctraceError

# Called alike, but another thing in each command.
_OF_ONE_COMMAND = ("format", "output", "force")
# What `run` does not take over from check: its -o and -f are those of record.
_NOT_TAKEN_OVER = ("output", "force")

Options = dict[str, click.Option]


def load(
    config: str | None, no_config: bool, commands: Mapping[str, click.Command]
) -> tuple[Settings, dict[str, dict[str, Any]]]:
    """The settings, and the values of options by command and parameter.

    Raises SynctraceError for a file that cannot be read and for what is wrong in it.
    """
    if config is not None and no_config:
        raise click.UsageError("give one of --config and --no-config")
    path = None if no_config else Path(config) if config is not None else _nearest()
    if path is None:
        return NO_SETTINGS, {}
    # Told as people would: found from the current folder.
    settings = read(Path(config or os.path.relpath(path)), list(commands))
    options = {name: _options(command) for name, command in commands.items()}
    return settings, _values(settings, options)


def _nearest() -> Path | None:
    """The file for the current folder. If that is gone, the command itself says so."""
    try:
        here = Path.cwd()
    except FileNotFoundError:
        return None
    return find(here)


def _options(command: click.Command) -> Options:
    """Options by the name they have in a file: the long one without dashes in front."""
    found = [p for p in command.params if isinstance(p, click.Option) and not p.is_eager]
    return {max(option.opts, key=len).lstrip("-"): option for option in found}


def _values(settings: Settings, options: Mapping[str, Options]) -> dict[str, dict[str, Any]]:
    """Values by command, the more particular table last."""
    file = _File(settings)
    common = settings.options.get("", {})
    for key in common:
        if not any(_named(key) in of for of in options.values()):
            known = {name for of in options.values() for name in of} - set(_OF_ONE_COMMAND)
            file.unknown("", key, {*known, *options, "suppress", "budget"})
        if _named(key) in _OF_ONE_COMMAND:
            file.fail("", f"has {key}: it means another thing to each command, put it into one's")
    for name in ("", *options):
        file.no_twins(name, settings.options.get(name, {}))
    values: dict[str, dict[str, Any]] = {}
    for name, of in options.items():
        made = {
            o.name: file.value("", k, v, o) for k, v in common.items() if (o := of.get(_named(k)))
        }
        values[name] = {str(key): value for key, value in made.items()}
    own: dict[str, dict[str, Any]] = {}
    for name, of in options.items():
        own[name] = {}
        for key, value in settings.options.get(name, {}).items():
            option = of.get(_named(key))
            if option is None:
                file.unknown(name, key, set(of))
            own[name][str(option.name)] = file.value(name, key, value, option)
    if "run" in options:
        of_check = {k: v for k, v in own["check"].items() if k not in _NOT_TAKEN_OVER}
        values["run"] |= own["record"] | of_check
    for name, of_own in own.items():
        values[name] |= of_own
    return values


def _named(key: str) -> str:
    """fail_on is fail-on."""
    return key.replace("_", "-")


class _File:
    """The file, for its values and for errors that name it."""

    def __init__(self, settings: Settings) -> None:
        self._told = settings.path
        self._folder = settings.folder
        self._in_pyproject = Path(settings.path).name == PYPROJECT

    def value(self, table: str, key: str, value: Any, option: click.Option) -> Any:
        """The value as the command line would give it; paths from the current folder."""
        listed = [value] if isinstance(value, str) else value
        if option.is_flag:
            wanted = isinstance(value, bool)
        elif isinstance(option.type, click.types.IntParamType):
            wanted = isinstance(value, int) and not isinstance(value, bool)
        elif isinstance(option.type, click.types.FloatParamType):
            wanted = isinstance(value, int | float) and not isinstance(value, bool)
        elif option.multiple or (option.metavar or "").endswith((",...", "IDS")):
            wanted = isinstance(listed, list) and all(isinstance(one, str) for one in listed)
            value = listed
        else:
            wanted = isinstance(value, str)
        if not wanted:
            self.fail(table, f"has {key} = {value!r}: expected {_expected(option)}")
        if option.multiple:
            return [self._report(one) for one in value] if key == "report" else value
        if isinstance(value, list):
            return ",".join(self._profile(one) if key == "profile" else one for one in value)
        if isinstance(option.type, click.Path):
            return self._from_here(value)
        try:
            return option.type.convert(value, option, None)
        except click.BadParameter as error:
            self.fail(table, f"has {key} = {value!r}: {error.message}")

    def _report(self, given: str) -> str:
        """FORMAT=FILE; - is no file."""
        format_, equals, path = given.partition("=")
        return given if path in ("", "-") else f"{format_}{equals}{self._from_here(path)}"

    def _profile(self, names: str) -> str:
        """Files among them from the current folder; the others are shipped."""
        parts = [part.strip() for part in names.split(",")]
        return ",".join(self._from_here(p) if p.endswith(".toml") else p for p in parts)

    def _from_here(self, path: str) -> str:
        if Path(path).is_absolute():
            return path
        try:
            return os.path.relpath(self._folder / path)
        except FileNotFoundError:  # the current folder is gone
            return str(self._folder / path)

    def no_twins(self, table: str, keys: Collection[str]) -> None:
        """Raise SynctraceError for an option that is spelt in both ways: which one holds?"""
        for key in keys:
            if _named(key) != key and _named(key) in keys:
                self.fail(table, f"has {key} and {_named(key)}: they are one option, keep one")

    def unknown(self, table: str, key: str, known: set[str]) -> NoReturn:
        """Raise SynctraceError: no such option."""
        close = difflib.get_close_matches(_named(key), known, n=1)
        hint = (
            f"did you mean {close[0]}?" if close else f"expected one of {', '.join(sorted(known))}"
        )
        self.fail(table, f"has the unknown key {key!r}: {hint}")

    def fail(self, table: str, what: str) -> NoReturn:
        """Raise SynctraceError: what is wrong in this table."""
        names = [TABLE] if self._in_pyproject else []
        name = ".".join([*names, *([table] if table else [])])
        where = f"[{name}]" if name else "the head"
        raise SynctraceError(f"settings {self._told}: {where} {what}")


def _expected(option: click.Option) -> str:
    """A kind of value, in words."""
    if option.is_flag:
        return "true or false"
    if isinstance(option.type, click.types.IntParamType):
        return "a whole number"
    if isinstance(option.type, click.types.FloatParamType):
        return "a number"
    return "text" if not option.multiple else "a list of text"
