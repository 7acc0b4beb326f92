"""The scenario notation: what it allows, and a clear place and reason for what it does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.case import read_cases
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.vocabulary import ATTRIBUTES, WORDS, Word

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


# What comes before and behind those that are nothing alone.
AROUND: dict[str, tuple[list[str], list[str]]] = {
    "capture_begin": ([], ["capture_end"]),
    "capture_end": (["capture_begin"], []),
    "graph_update": (["capture_begin", "capture_end"], []),
    "host_unregister": (["host_register"], []),
    "thread_join": (["thread_signal"], []),
}


def with_others(op: dict[str, Any]) -> list[dict[str, Any]]:
    before, behind = AROUND.get(op["op"], ([], []))
    made = [[smallest(name, WORDS[name]) for name in names] for names in (before, behind)]
    return [*made[0], op, *made[1]]


@pytest.mark.parametrize("name", WORDS)
def test_every_op_with_just_what_it_needs(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, {"id": "one", "ops": with_others(smallest(name, WORDS[name]))})
    (case,) = read_cases(file)
    assert name in [op.op for op in case.ops]
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
    (plain,) = read_cases(write(tmp_path, {"id": "one", "ops": with_others(op)}))
    (full,) = read_cases(write(tmp_path, {"id": "one", "ops": with_others({**nothing, **op})}))
    assert plain == full


def test_blank_lines_a_byte_order_mark_and_no_last_newline(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    first, last = (json.dumps({"id": name, "ops": [WRITE], "expected": 1}) for name in "ba")
    file.write_text(f"\ufeff{first}\r\n\n   \n{last}", encoding="utf-8")
    assert [(case.id, case.line) for case in read_cases(file)] == [("b", 1), ("a", 4)]


@pytest.mark.parametrize("before", ["", "\n\n", "\ufeff"])
def test_a_file_of_one_case_may_break_it_over_lines(tmp_path: Path, before: str) -> None:
    file = tmp_path / "cases.json"
    file.write_text(before + json.dumps({"id": "a", "ops": [WRITE]}, indent=1), encoding="utf-8")
    assert [(case.id, case.line) for case in read_cases(file)] == [("a", 1 + before.count("\n"))]


BROKEN = {
    "not JSON": ('\n{"id": "a",\n"ops": [,]}', "line 3: column 9 is not JSON"),
    "cut": ('{"id": "a",\n"ops": [\n\n', "line 4: column 1 is not JSON"),
    "cut in the first line": ('{"id": "a", "ops"\n{"id": "b", "ops": []}', "line 2: column 1 is"),
    "a second case": ('{"id": "a",\n"ops": []}\n{}', "line 3: column 1 is not JSON (Extra data)"),
    "a wrong op": ('\n{"id": "a",\n"ops": [\n{}]}', "line 2: ops[0].op: expected"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_case_that_is_wrong(tmp_path: Path, refuses: Any, case: str) -> None:
    text, words = BROKEN[case]
    file = tmp_path / "cases.json"
    file.write_text(text, encoding="utf-8")
    assert f"{file}, {words}" in refuses(words, read_cases, file)


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
    "nearly an op": ({**WRITE, "op": "memcpy_async_hd"}, "did you mean memcpy_async_h2d"),
    "four numbers": ({**WRITE, "writes": [["h", 0, 4, 4]]}, RANGE),
    "six numbers": ({**WRITE, "writes": [["h", 0, 4, 4, 4, 4]]}, RANGE),
    "no width": ({**WRITE, "writes": [["h", 0, 0, 4, 8]]}, "writes[0][2]: expected the width"),
    "no rows": (
        {**WRITE, "writes": [["h", 0, 4, 0, 8]]},
        "writes[0][3]: expected a number of rows",
    ),
    "rows as float": ({**WRITE, "writes": [["h", 0, 4, 2.0, 8]]}, "writes[0][3]: expected"),
    "many rows": ({**WRITE, "writes": [["h", 0, 4, 2**21, 8]]}, "at most 1048576 rows"),
    "pitch below width": ({**WRITE, "writes": [["h", 0, 8, 2, 4]]}, "writes[0][4]: expected the "),
    "rows beyond the end": ({**WRITE, "writes": [["h", 0, 4, 9, 2**37]]}, "1 TiB"),
    "legacy stream 0": ({**SYNC, "stream": "LEGACY0"}, "ops[1].stream: expected LEGACY for the "),
    "legacy stream 01": ({**SYNC, "stream": "LEGACY01"}, "LEGACY1 to LEGACY255 for those of the"),
    "legacy stream 256": ({**SYNC, "stream": "LEGACY256"}, "ops[1].stream: expected LEGACY"),
    "legacy stream created": (
        {**SYNC, "op": "stream_create", "stream": "LEGACY1", "attrs": {"flags": "blocking"}},
        "ops[1].stream: LEGACY1 is there from the start",
    ),
    "overlap of one thread": (
        {**SYNC, "attrs": {"overlaps": True}},
        "ops[1].attrs.overlaps: expected an op of another thread before it",
    ),
    "an event at each launch": (
        {
            **SYNC,
            "op": "event_record",
            "event": "e",
            "attrs": {"captured_in": "G", "external": True},
        },
        "is not supported, expected two graphs with that event_record between their launches",
    ),
    "a signal at each launch": (
        {**SYNC, "op": "host_func", "event": "e", "attrs": {"captured_in": "G"}},
        "expected two graphs with that host_func between their launches",
    ),
    "a graph in itself": (
        {
            **SYNC,
            "op": "graph_launch",
            "reads": [["h", 0, 4]],
            "attrs": {"captured_in": "G", "graph": "G"},
        },
        "ops[1].attrs.graph: G cannot hold itself",
    ),
    "a graph that is not there": (
        {**SYNC, "op": "graph_launch", "attrs": {"graph": "G"}},
        "ops[1].attrs.graph: nothing was captured in G before, expected reads or writes",
    ),
}


ENDS = ("begin", "end")
GARBAGE: tuple[object, ...] = (
    None,
    0,
    1,
    -1,
    256,
    1.5,
    "",
    "true",
    "x" * 201,
    "\n",
    [],
    {},
    [True],
)


@pytest.mark.parametrize("given", GARBAGE, ids=repr)
@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_attribute_takes_its_values_and_no_others(
    tmp_path: Path, refuses: Any, name: str, given: object
) -> None:
    holder = [op for op, word in WORDS.items() if name in word.attrs][-1]
    op = smallest(holder, WORDS[holder])
    full = {**op, "attrs": {**op.get("attrs", {}), name: given}}
    file = with_op(tmp_path, full)
    allowed = ATTRIBUTES[name]
    if (allowed == "device" and given in (0, 1)) or (allowed == "name" and given == "true"):
        if name == "captured_in":
            begin, end = ({**SYNC, "op": f"capture_{x}", "attrs": {"graph": given}} for x in ENDS)
            file = write(tmp_path, {"id": "a", "ops": [begin, full, end]})
        assert read_cases(file)[-1].ops[1].attrs[name] == given
        return
    text = refuses(f"line 2: ops[1].attrs.{name}: expected ", read_cases, file)
    if isinstance(allowed, tuple):
        assert all(json.dumps(value) in text for value in allowed)


@pytest.mark.parametrize("name", WORDS)
def test_no_op_takes_the_attribute_of_another(tmp_path: Path, refuses: Any, name: str) -> None:
    op = smallest(name, WORDS[name])
    for attribute in sorted(set(ATTRIBUTES) - set(WORDS[name].attrs)):
        wrong = {**op, "attrs": {**op.get("attrs", {}), attribute: True}}
        refuses(f"{name} has no such attribute", read_cases, with_op(tmp_path, wrong))


@pytest.mark.parametrize("given", [0, True, "", "\n", [], {}, "x" * 201], ids=repr)
def test_a_profile_that_is_no_name(tmp_path: Path, refuses: Any, given: object) -> None:
    file = write(tmp_path, {"id": "a", "profile": given, "ops": [WRITE]})
    refuses("line 1: profile: expected a name", read_cases, file)


@pytest.mark.parametrize("case", OPS)
def test_an_op_that_is_wrong(tmp_path: Path, refuses: Any, case: str) -> None:
    op, words = OPS[case]
    file = with_op(tmp_path, op)
    assert f"{file}, line 2: " in refuses(words, import_cases, file, tmp_path / "out")
    assert not (tmp_path / "out").exists()


RECORDED = {"thread": "T0", "op": "event_record", "stream": "S1", "event": "e"}
SIGNALLED = {"thread": "T0", "op": "release", "event": "e"}


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (RECORDED, SIGNALLED, "ops[1].event: e is an event of streams in ops[0], expected another"),
        (SIGNALLED, RECORDED, "ops[1].event: e is a signal between threads in ops[0], expected"),
    ],
)
def test_a_name_of_an_event_and_of_a_signal(
    tmp_path: Path, refuses: Any, first: Any, second: Any, words: str
) -> None:
    refuses(words, read_cases, write(tmp_path, {"id": "a", "ops": [first, second]}))
    read_cases(write(tmp_path, {"id": "a", "ops": [first, {**second, "event": "f"}]}))


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
