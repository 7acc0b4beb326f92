"""The scenario notation: what it allows, and a clear place and reason for what it does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.case import read_cases
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.vocabulary import WORDS, Word

WRITE = {"thread": "T0", "op": "host_write", "writes": [["h", 0, 4]]}
SYNC = {"thread": "T0", "op": "stream_sync", "stream": "S1"}


def write(path: Path, *cases: object) -> Path:
    file = path / "cases.jsonl"
    file.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return file


def with_op(path: Path, op: object) -> Path:
    return write(path, {"id": "good", "ops": [WRITE]}, {"id": "bad", "ops": [WRITE, op]})


def smallest(name: str, word: Word) -> dict[str, Any]:
    """The op with just what it needs."""
    op: dict[str, Any] = {"thread": "T0", "op": name}
    if word.stream == "needed":
        op["stream"] = "S1"
    if word.event == "needed":
        op["event"] = "e"
    for field, (least, _) in (("reads", word.reads), ("writes", word.writes)):
        if least:
            op[field] = [["b", 0, 64]] * least
    samples = {"flags": "blocking", "graph": "G", "implicit_sync": True}
    if word.needs:
        op["attrs"] = {key: samples[key] for key in word.needs}
    return op


@pytest.mark.parametrize("name", WORDS)
def test_every_op_with_just_what_it_needs(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, {"id": "one", "ops": [smallest(name, WORDS[name])]})
    (case,) = read_cases(file)
    assert case.ops[0].op == name
    assert import_cases(file, tmp_path / "t", "one") == [tmp_path / "t"]


@pytest.mark.parametrize("name", WORDS)
def test_keys_that_are_null_or_empty_are_left_out(tmp_path: Path, name: str) -> None:
    op = smallest(name, WORDS[name])
    nothing: dict[str, Any] = {
        "stream": None,
        "reads": [],
        "writes": [],
        "event": None,
        "note": "",
        "attrs": {},
    }
    (plain,) = read_cases(write(tmp_path, {"id": "one", "ops": [op]}))
    (full,) = read_cases(write(tmp_path, {"id": "one", "ops": [{**nothing, **op}]}))
    assert plain == full


def test_blank_lines_a_byte_order_mark_and_no_last_newline(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    first, last = (json.dumps({"id": name, "ops": [WRITE], "expected": 1}) for name in "ba")
    file.write_text(f"\ufeff{first}\r\n\n   \n{last}", encoding="utf-8")
    assert [(case.id, case.line) for case in read_cases(file)] == [("b", 1), ("a", 4)]


def test_names_may_be_in_any_script(tmp_path: Path) -> None:
    op = {"thread": "поток", "op": "host_write", "writes": [["Puffer ä", 0, 4]]}
    (case,) = read_cases(write(tmp_path, {"id": "one", "ops": [op]}))
    assert case.ops[0].writes[0].buffer == "Puffer ä"


LINES = {
    "cut": (b'{"id": "a", "ops"', "column"),
    "words": (b"hello", "column 1 is not JSON"),
    "not UTF-8": (b'{"id": "\xff"}', "byte 8 is not UTF-8"),
    "UTF-16": ('{"id": "a"}'.encode("utf-16"), "not UTF-8"),
    "list": (b"[]", "expected a JSON object"),
    "number": (b"7", "expected a JSON object"),
    "deep": (b"[" * 200_000, "nested too deep"),
    "long number": (b'{"id": ' + b"9" * 5000 + b"}", "number too long"),
    "twins": (b'{"id": "a", "id": "b", "ops": []}', "id: given twice"),
    "zeros": (bytes(40), "not JSON"),
}


@pytest.mark.parametrize("case", LINES)
def test_a_line_that_is_no_case(tmp_path: Path, refuses: Any, case: str) -> None:
    line, words = LINES[case]
    file = tmp_path / "cases.jsonl"
    file.write_bytes(json.dumps({"id": "good", "ops": [WRITE]}).encode() + b"\n" + line)
    assert f"{file}, line 2: " in refuses(words, read_cases, file)


@pytest.mark.parametrize(
    "name",
    [None, 7, "", "a/b", "../x", ".hidden", "-f", "a b", "a\0b", "ä", "x" * 201, ["a"]],
)
def test_ids_that_cannot_name_a_folder(tmp_path: Path, refuses: Any, name: object) -> None:
    refuses("line 1: id: expected", read_cases, write(tmp_path, {"id": name, "ops": [WRITE]}))


def test_ids_given_twice(tmp_path: Path, refuses: Any) -> None:
    one = {"id": "same", "ops": [WRITE]}
    refuses("line 2: id: same was used on line 1", read_cases, write(tmp_path, one, one))


@pytest.mark.parametrize("ops", [None, [], {}, "host_write", 3])
def test_ops_that_are_no_list(tmp_path: Path, refuses: Any, ops: object) -> None:
    refuses("line 1: ops: expected", read_cases, write(tmp_path, {"id": "a", "ops": ops}))


RANGE = "expected [buffer, offset, size] or [buffer, offset, width, height, pitch]"
OPS: dict[str, tuple[object, str]] = {
    "no object": (["host_write"], "ops[1]: expected a JSON object"),
    "no op": ({"thread": "T0"}, "ops[1].op: expected one of alloc_pinned, "),
    "unknown op": ({**WRITE, "op": "memcpy"}, "ops[1].op: expected one of"),
    "op as list": ({**WRITE, "op": ["host_write"]}, "ops[1].op: expected one of"),
    "no thread": ({"op": "device_sync"}, "ops[1].thread: expected the name of the host thread"),
    "thread as number": ({**WRITE, "thread": 0}, "ops[1].thread: expected a name"),
    "empty thread": ({**WRITE, "thread": ""}, "ops[1].thread: expected a name"),
    "control characters": ({**WRITE, "thread": "\x1b[31m"}, "printable"),
    "unknown field": ({**WRITE, "streams": "S1"}, "ops[1].streams: no such field"),
    "range as string": ({**WRITE, "writes": ["h"]}, f"ops[1].writes[0]: {RANGE}"),
    "range as object": ({**WRITE, "writes": [{"buffer": "h"}]}, f"ops[1].writes[0]: {RANGE}"),
    "ranges as object": ({**WRITE, "writes": {}}, "ops[1].writes: expected a list"),
    "range too short": ({**WRITE, "writes": [["h", 0]]}, RANGE),
    "bare range": ({**WRITE, "writes": ["h", 0, 4]}, RANGE),
    "buffer as number": ({**WRITE, "writes": [[1, 0, 4]]}, "ops[1].writes[0][0]"),
    "no buffer": ({**WRITE, "writes": [[None, 0, 4]]}, "the name of a buffer"),
    "negative offset": ({**WRITE, "writes": [["h", -1, 4]]}, "ops[1].writes[0][1]"),
    "negative size": ({**WRITE, "writes": [["h", 0, -4]]}, "ops[1].writes[0][2]"),
    "size nothing": ({**WRITE, "writes": [["h", 0, 0]]}, "1 or more"),
    "size as float": ({**WRITE, "writes": [["h", 0, 4.0]]}, "ops[1].writes[0][2]"),
    "size as truth": ({**WRITE, "writes": [["h", 0, True]]}, "ops[1].writes[0][2]"),
    "huge size": ({**WRITE, "writes": [["h", 0, 2**64]]}, "1 TiB"),
    "huge end": ({**WRITE, "writes": [["h", 2**40, 1]]}, "1 TiB"),
    "no write": ({"thread": "T0", "op": "host_write"}, "ops[1].writes: host_write needs 1"),
    "read of a write": ({**WRITE, "reads": [["h", 0, 4]]}, "ops[1].reads: host_write takes none"),
    "two blocks": (
        {**WRITE, "op": "alloc_device", "writes": [["a", 0, 4], ["b", 0, 4]]},
        "takes at most 1, got 2",
    ),
    "no stream": ({**SYNC, "stream": None}, "ops[1].stream: stream_sync needs a stream"),
    "a stream too many": ({**WRITE, "stream": "S1"}, "ops[1].stream: host_write takes no stream"),
    "no event": ({**SYNC, "op": "event_record"}, "ops[1].event: event_record needs an event"),
    "an event too many": ({**SYNC, "event": "e"}, "ops[1].event: stream_sync takes no event"),
    "attrs as list": ({**SYNC, "attrs": []}, "ops[1].attrs: expected a JSON object"),
    "unknown attribute": (
        {**SYNC, "attrs": {"colour": 1}},
        "ops[1].attrs.colour: stream_sync has no such attribute, only failed, overlaps, suspect, ",
    ),
    "another op's attribute": ({**SYNC, "attrs": {"pdl": True}}, "no such attribute"),
    "truth as word": ({**SYNC, "attrs": {"failed": "true"}}, "expected true or false"),
    "truth as number": ({**SYNC, "attrs": {"failed": 1}}, "expected true or false"),
    "name as number": ({**SYNC, "attrs": {"narrow_to": 1}}, "attrs.narrow_to: expected a name"),
    "name as null": ({**SYNC, "attrs": {"narrow_to": None}}, "expected a name"),
    "unknown value": (
        {**SYNC, "op": "stream_create", "attrs": {"flags": "default"}},
        'expected "blocking" or "nonblocking" or "per_thread"',
    ),
    "needed attribute": ({**SYNC, "op": "stream_create"}, "attrs.flags: stream_create needs it"),
}


@pytest.mark.parametrize("case", OPS)
def test_an_op_that_is_wrong(tmp_path: Path, refuses: Any, case: str) -> None:
    op, words = OPS[case]
    file = with_op(tmp_path, op)
    assert f"{file}, line 2: " in refuses(words, import_cases, file, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_failed_call_may_lack_its_stream(tmp_path: Path) -> None:
    op = {"thread": "T0", "op": "event_record", "event": "e", "attrs": {"failed": True}}
    assert len(read_cases(with_op(tmp_path, op))) == 2


def test_files_that_hold_no_cases(tmp_path: Path, refuses: Any) -> None:
    refuses("No such file", read_cases, tmp_path / "nowhere.jsonl")
    refuses("Is a directory", read_cases, tmp_path)
    (tmp_path / "empty.jsonl").write_text("\n\n")
    refuses("holds no case", read_cases, tmp_path / "empty.jsonl")


def test_a_case_that_is_not_there(tmp_path: Path, refuses: Any) -> None:
    file = write(tmp_path, {"id": "staging-refill", "ops": [WRITE]})
    out = tmp_path / "out"
    refuses("did you mean staging-refill?", import_cases, file, out, "staging-refil")
    refuses("its only case is staging-refill", import_cases, file, out, "zzz")
    assert not out.exists()
