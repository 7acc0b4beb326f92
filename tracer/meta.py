"""Reads meta.json of a trace, which somebody else may have made: what it says, or one sentence."""

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from synctrace.tracer.errors import RECORD_AGAIN, SynctraceError, damaged
from synctrace.tracer.schema import FORMAT, META_FILE, VERSION

MOST_COUNT = 1 << 63  # counts are below
MOST_BYTES = 4 << 20  # of meta.json; a command line can have 2 MiB
COUNTS = ("dropped", "forced_copies")


def need_plain(file: Path) -> None:
    """Refuse what is no file of its folder: a link, a folder, or a pipe that never ends.

    Raises SynctraceError, FileNotFoundError.
    """
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:
        raise
    except OSError as error:
        raise cannot_read(file, error) from error
    if stat.S_ISLNK(mode):
        raise SynctraceError(f"{file} is a link: put the file itself into the trace's folder")
    if not stat.S_ISREG(mode):
        raise SynctraceError(f"{file} is no regular file: {RECORD_AGAIN}")


def cannot_read(path: Path, error: OSError) -> SynctraceError:
    """The error to raise for a file or folder that cannot be read."""
    return SynctraceError(
        f"cannot read {path} ({error.strerror or error}): check the path and its permissions"
    )


def is_scenario(meta: Mapping[str, Any]) -> bool:
    """Whether it is a scenario: that states all that the host does, and its times mean nothing."""
    return meta.get("source") == "import" and not meta.get("via")


def read_meta(path: Path) -> dict[str, Any]:
    """meta.json of the trace `path`, everything in it that is used checked.

    Raises SynctraceError for one that is damaged, too large, or of another version.
    """
    file = path / META_FILE
    meta = _json(file)
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise SynctraceError(f"{path} is not a synctrace trace: its {META_FILE} is something else")
    number = meta.get("version")
    if type(number) is not int:
        raise damaged(file, "no version number")
    if number > VERSION:
        raise SynctraceError(
            f"{path} has trace version {number}, this synctrace reads {VERSION}: update synctrace"
        )
    if number < VERSION:
        raise SynctraceError(
            f"{path} has trace version {number}, this synctrace reads {VERSION}: {RECORD_AGAIN}"
        )
    if type(meta.get("complete")) is not bool or not _are_texts(meta.get("lost")):
        raise damaged(file, "complete or lost is wrong")
    if not _are_texts(meta.get("skipped", [])):
        raise damaged(file, "skipped is wrong")
    for key in ("profile", "source", "via"):
        if not isinstance(meta.get(key, ""), str):
            raise damaged(file, f"{key} is no text")
    for key, value in (*((key, meta.get(key, 0)) for key in COUNTS), *_counters(file, meta)):
        if type(value) is not int or not 0 <= value < MOST_COUNT:
            raise damaged(file, f"{key} is no count")
    return meta


def _json(file: Path) -> Any:
    try:
        need_plain(file)
        if file.stat().st_size > MOST_BYTES:
            raise SynctraceError(
                f"{file} has more than {MOST_BYTES >> 20} MiB: no recorder writes so much"
            )
        read = json.loads(
            file.read_text(encoding="utf-8"),
            object_pairs_hook=_no_twins,
            parse_constant=_no_number,
        )
        json.dumps(read, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except OSError as error:
        raise cannot_read(file, error) from error
    except (ValueError, RecursionError) as error:
        raise damaged(file, "not JSON") from error
    return read


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _counters(file: Path, meta: dict[str, Any]) -> list[tuple[str, Any]]:
    counters: list[tuple[str, Any]] = []
    for key in ("counts", "coverage"):
        told = meta.get(key, {})
        if not isinstance(told, dict):
            raise damaged(file, f"{key} is wrong")
        counters += told.items()
    return counters
