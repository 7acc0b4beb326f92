"""Words: each situation has its sentence, and every report fits a comment."""

from dataclasses import replace
from typing import Any

import pytest

from synctrace.analyzer import words
from synctrace.analyzer.finding import Checked, Finding, MissingEdge, Place, SyncPlaces, Touch
from synctrace.analyzer.gate import Gate, exit_code
from synctrace.analyzer.report import concise, github, markdown, text
from synctrace.analyzer.report.concise import line
from synctrace.analyzer.report.fix import fix_lines
from synctrace.analyzer.report.summary import summary_line
from synctrace.analyzer.verdict import severity
from synctrace.tracer.rings import COVERAGE

from .findings import (
    AVOIDABLE,
    CLEAN,
    EVENT_SYNC,
    FAULTY,
    FOUND,
    GATE,
    GUESS,
    INCOMPLETE,
    LATENT,
    LATER,
    LAUNCH,
    LOST,
    NEEDLESS,
    OVER_BROAD,
    RACE,
    STREAM_WAIT,
    SYNC,
    WRITE,
)

NARROWER = [OVER_BROAD, STREAM_WAIT, LATER]
ALL = [RACE, LATENT, GUESS, NEEDLESS, *NARROWER, AVOIDABLE, LOST]


def _labelled(touch: Touch) -> Touch:
    """The same with a label in place of a stack."""
    place = replace(touch.op.place, label="T" * 60, frames=touch.op.place.frames[:1])
    return replace(touch, op=replace(touch.op, place=place))


def edge(**changed: object) -> MissingEdge:
    assert RACE.edge is not None
    return replace(RACE.edge, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", COVERAGE)
def test_what_the_recorder_did_not_watch_can_be_told(name: str) -> None:
    many = words.counted(2, name)
    assert many == f"2 {name.replace('_', ' ')}"
    assert words.counted(1, name) != many.replace("2", "1") or "memory" in name


def test_elements_of_a_batch_are_told_as_such() -> None:
    batch = edge(in_batch=True)
    assert words.missing(batch).startswith("both are elements of one batch")
    assert words.present(batch) == ["none, a batch is one call"]
    fix = fix_lines(replace(RACE, edge=batch))
    first, second = RACE.touches
    assert fix == [f"give op {second.op.id} to {first.timeline} by a call behind the batch"]


@pytest.mark.parametrize("finding", ALL, ids=lambda f: f.why or f.id)
def test_a_finding_fits_a_comment(finding: Finding) -> None:
    lines = text.finding_lines(finding, "run.synctrace")
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 100
    assert not [one for one in lines if one != one.rstrip()]
    assert all(ord(letter) < 0x2500 for one in lines for letter in one), "no box drawing"


@pytest.mark.parametrize("finding", ALL, ids=lambda f: f.id)
def test_in_markdown_a_finding_fits_a_comment(finding: Finding) -> None:
    lines = markdown.piece(finding, "run.synctrace").text.splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 100
    assert lines[0].startswith(f"**{finding.rule} {finding.name}** ({finding.severity}")
    assert lines[0].endswith(f"id `{finding.id}`")
    assert lines[-2] == f"  next    synctrace explain {finding.id} run.synctrace"
    assert "SELECT" not in "".join(lines), "whoever reads a comment has no trace to ask"


def test_a_comment_has_no_more_than_github_takes() -> None:
    findings = tuple(replace(RACE, id=f"{n:08x}") for n in range(1000))
    told = markdown.render([replace(FOUND, findings=findings)], GATE)
    assert 50_000 < len(told) < 65_536
    assert "\nFurther findings:\n" in told
    assert told.startswith("### synctrace: 1,000 errors, 0 warnings\n")
    assert told.splitlines()[-2].endswith(" s")
    assert max(map(len, told.splitlines())) <= 100


def test_an_annotation_says_what_a_reader_of_the_line_needs() -> None:
    told = github.render([FOUND], GATE, "/src").splitlines()[0]
    head, message = told.removeprefix("::error ").split("::")
    assert head == (
        "title=RACE05 graph input rewritten in flight,file=ggml/src/ggml-backend.cpp,line=301"
    )
    said = message.split("%0A")
    assert said[0].endswith("while it may still be in flight [certain]")
    assert said[1].startswith("first: op 419 ggml_backend_graph_compute_async of split 1 on Vulka")
    assert said[2] == "no happens-before edge: HOST knows Vulkan0 up to op 415, needs 419"
    assert said[3].startswith("fix: wait for that op's event")
    assert said[-1] == "seen 63 x, id 3f9c1e07"


def test_of_many_instances_the_first_and_the_worst_are_named() -> None:
    told = "\n".join(text.finding_lines(RACE, "t"))
    assert "63 times from the same places; this is the first " in told
    assert "worst: op 931 and op 940, bytes [0, 4096), the most bytes" in told
    told = "\n".join(text.finding_lines(LATENT, "t"))
    assert "this is the first of the surest" in told
    assert "60 latent, 3 range-guess; first: op 400 and op 409, bytes [0, 64)" in told
    assert "worst" not in told
    assert '"Vulkan_Host"; and 2 more' in told
    assert "worst" not in "\n".join(text.finding_lines(GUESS, "t"))


LONG = "a_name_that_is_longer_than_anybody_would_write_it_but_for_templates_of_templates" * 2


def _lengthened(place: Place) -> Place:
    frames = tuple(replace(f, function=LONG, file=f"/src/{LONG}.cpp") for f in place.frames)
    return replace(place, frames=frames)


def _long(touch: Touch, **changed: str) -> Touch:
    op = replace(touch.op, place=_lengthened(touch.op.place), scopes=(LONG,), **changed)
    return replace(touch, op=op)


@pytest.mark.parametrize(
    "changed",
    [
        {"touches": tuple(_long(t) for t in RACE.touches)},
        {"touches": tuple(_long(t, thread=LONG) for t in RACE.touches)},
        {"touches": tuple(replace(t, timeline="t" * 40, buffer="x") for t in RACE.touches)},
        {"touches": tuple(_long(t, call="c" * 50, stream="s" * 40) for t in RACE.touches)},
        {"touches": tuple(replace(t, timeline=LONG, buffer=LONG) for t in RACE.touches)},
        {"touches": tuple(_labelled(t) for t in RACE.touches)},
        {"memory": replace(RACE.memory, name=LONG, storage_name=LONG)},
        {"edge": replace(RACE.edge, knower=LONG, of=f"{LONG}_too", hidden_by=LONG)},
        {"message": LONG},
        {"sync": replace(SYNC, call=LONG, stream=LONG, place=_lengthened(SYNC.place))},
    ],
)
def test_long_names_fit_a_comment_too(changed: dict[str, Any]) -> None:
    for finding in (RACE, NEEDLESS, *NARROWER, AVOIDABLE):
        lines = text.finding_lines(replace(finding, **changed), LONG)
        here = [one.startswith("  next") for one in lines].index(True)
        assert max(map(len, lines[:here])) <= 100
        assert not [one for one in lines if one != one.rstrip()]
        lines = markdown.piece(replace(finding, **changed), LONG).text.splitlines()
        assert max(map(len, lines[:-2])) <= 100
        assert len(lines) <= 30


def test_long_names_of_a_clean_trace_fit_a_comment_too() -> None:
    census = replace(CLEAN.census, actors=(LONG, LONG))
    shape = replace(CLEAN.signature, what=LONG, letters=LONG)
    changed = replace(CLEAN, census=census, signature=shape, profiles=(LONG,), faults=LONG)
    lines = text.render([changed], GATE).splitlines()
    assert max(map(len, lines[:-1])) <= 100


@pytest.mark.parametrize(
    ("number", "name", "said"),
    [
        (1, "upper_bound_ranges", "1 upper bound range"),
        (2000, "upper_bound_ranges", "2,000 upper bound ranges"),
        (1, "launches_without_ranges", "1 launch without ranges"),
        (1, "unwatched_host_bytes", "1 unwatched host byte"),
        (1, "something_else", "1 something else"),
    ],
)
def test_what_was_not_seen_is_counted_in_english(number: int, name: str, said: str) -> None:
    assert words.counted(number, name) == said


def test_what_the_trace_tells_has_no_places() -> None:
    told = "\n".join(text.finding_lines(replace(LOST, count=16), "t"))
    assert "times from the same places" not in told
    assert "told    by the trace itself" in told


@pytest.mark.parametrize("checked", [CLEAN, FOUND, INCOMPLETE], ids=["clean", "found", "lost"])
def test_the_last_line_is_for_grep(checked: Checked) -> None:
    last = text.render([checked], GATE).splitlines()[-1]
    assert last == summary_line(checked, GATE)
    assert last.startswith("synctrace: ")
    assert "12,480 ops" in last
    assert "dropped" in last


def test_memory_named_by_address_has_no_size() -> None:
    assert RACE.memory is not None
    memory = replace(RACE.memory, name="", storage_name="host memory", size=(1 << 63) - 1)
    told = "\n".join(text.finding_lines(replace(RACE, memory=memory), "t"))
    assert "bytes [0, 2048), host memory" in told
    assert "bytes [0, 2048) of 4096" in "\n".join(text.finding_lines(RACE, "t"))


def test_the_pieces_come_in_their_order() -> None:
    lines = text.finding_lines(RACE, "run.synctrace")
    heads = [one.split()[0] for one in lines if one.startswith("  ") and one[2] != " "]
    assert heads == ["buffer", "read", "write", "no", "help", "seen", "next"]
    heads = [one.split()[0] for one in text.finding_lines(NEEDLESS, "t") if one[2:3].strip()]
    assert heads[1:] == ["sync", "site", "cost", "proof", "limits", "help", "seen", "next"]


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (
            OVER_BROAD,
            ["at     op 415    ggml_backend_event_synchronize(event 3)",
             "as of  op 414    ggml_backend_event_record(event 3) on Vulkan0"],
        ),
        (
            STREAM_WAIT,
            ["at     op 415    ggml_backend_event_record(ev, Vulkan0)",
             "at     op 415    ggml_backend_event_wait(Vulkan1, ev)",
             "at     op 415    ggml_backend_event_wait(CPU, ev)"],
        ),
        (
            LATER,
            ["at     op 415    ggml_backend_event_record(ev, Vulkan0)",
             "before op 426    ggml_backend_event_synchronize(ev)"],
        ),
    ],
    ids=["event", "stream-wait", "later"],
)  # fmt: skip
def test_what_to_call_instead_and_where(finding: Finding, said: list[str]) -> None:
    told = text.finding_lines(finding, "t")
    first = [one.startswith("  instead") for one in told].index(True)
    for line_, one in zip(told[first:], said, strict=False):
        assert line_[10:].startswith(one)
    assert told[first + len(said)].startswith("  proof")


def test_how_long_the_event_would_have_taken_is_told_where_it_is_known() -> None:
    known = "the first of them: that event was done 20.0 us after the call began"
    assert known in "\n".join(text.finding_lines(OVER_BROAD, "t"))
    assert OVER_BROAD.proposal is not None
    unknown = replace(OVER_BROAD.proposal, record=replace(LAUNCH, ended_ns=None))
    told = text.finding_lines(replace(OVER_BROAD, proposal=unknown), "t")
    assert "that event was done" not in "\n".join(told)


def test_a_read_is_told_by_its_op_or_as_what_the_host_has() -> None:
    told = "\n".join(text.finding_lines(AVOIDABLE, "t"))
    assert "  read    after it the host has what op 419" in told
    assert AVOIDABLE.proposal is not None
    by_op = replace(AVOIDABLE.proposal, read=WRITE)
    told = "\n".join(text.finding_lines(replace(AVOIDABLE, proposal=by_op), "t"))
    assert "  read    op 426 ggml_backend_tensor_set of what op 419" in told


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"too_long": 3}, "3 not examined for narrower waits: it takes long, ask with --select S"),
        ({"too_racy": 2}, "2 not examined for narrower waits: too many accesses race"),
        ({}, ""),
    ],
)
def test_places_that_were_not_examined_are_counted(changed: dict[str, int], said: str) -> None:
    for checked in (CLEAN, FOUND):
        assert checked.syncs is not None
        told = text.render([replace(checked, syncs=replace(checked.syncs, **changed))], GATE)
        assert told.count("not examined") == bool(said)
        assert said in told


def test_who_knows_whom_up_to_where() -> None:
    assert words.missing(edge()) == "HOST knows Vulkan0 up to op 415, needs 419"
    assert words.missing(edge(known=None)) == "HOST knows nothing of Vulkan0, needs op 419"
    assert "its own" not in words.missing(edge())
    same = edge(knower="Vulkan0")
    assert words.missing(same).startswith("Vulkan0 does not order the two")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"present": None, "useless": None}, ["none, HOST waits for nothing between the two"]),
        ({"useless": None}, ["op 415 ggml_backend_synchronize on Vulkan0: too early, op 419 was"]),
        (
            {"present": replace(SYNC, id=421), "useless": None},
            ["op 421 ggml_backend_synchronize on Vulkan0: too little, it stands for Vulkan0 only"],
        ),
        (
            {"present": None, "useless": replace(SYNC, id=421, stream="CPU")},
            ["op 421 ggml_backend_synchronize on CPU: the wrong stream, it waits for CPU and not"],
        ),
        (
            {"present": None, "useless": EVENT_SYNC},
            ["op 423 ggml_backend_event_synchronize(event 3): that event does not stand for op"],
        ),
    ],
    ids=["nothing", "too early", "too little", "wrong stream", "other event"],
)
def test_why_the_syncs_that_are_there_do_not_help(
    changed: dict[str, object], said: list[str]
) -> None:
    told = words.present(edge(**changed))
    assert len(told) == len(said)
    assert all(one.startswith(start) for one, start in zip(told, said, strict=True))


def test_a_sync_is_told_once() -> None:
    assert len(words.present(edge(useless=SYNC))) == 1


def test_timing_is_told_where_it_is_known_and_promises_nothing() -> None:
    assert words.timing(RACE) == ""
    first, second = RACE.touches
    done = replace(first, op=replace(LAUNCH, started_ns=812_500_000, ended_ns=812_800_000))
    assert words.timing(replace(RACE, touches=(done, second))) == (
        "in this run the gap was 100.0 us; nothing enforces it"
    )
    late = replace(first, op=replace(LAUNCH, started_ns=812_500_000, ended_ns=813_000_000))
    assert words.timing(replace(RACE, touches=(late, second))) == "in this run they overlapped"


@pytest.mark.parametrize(
    ("ns", "said"),
    [(0, "0 ns"), (812, "812 ns"), (38_100, "38.1 us"), (9_600_000, "9.6 ms"), (3.2e9, "3.2 s")],
)
def test_durations_have_the_unit_that_fits(ns: float, said: str) -> None:
    assert words.duration(ns) == said


CUDA = ("cudaEventRecord(ev, Vulkan0)", "cudaStreamWaitEvent(Vulkan1, ev)")
HIP = ("hipEventRecord(ev, Vulkan0)", "hipStreamWaitEvent(Vulkan1, ev, 0)")
GGML = ("ggml_backend_event_record(ev, Vulkan0)", "ggml_backend_event_wait(Vulkan1, ev)")
SCENARIO = ("event_record ev on Vulkan0", "event_wait ev on Vulkan1")


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ([("api", "cudaMemcpyAsync")] * 2, CUDA),
        ([("api", "hipMemcpyAsync")] * 2, HIP),
        ([("api", "memcpy_async_d2d")] * 2, SCENARIO),
        ([("ggml", "ggml_backend_graph_compute_async")] * 2, GGML),
        ([("ggml", "host_inputs"), ("ggml", "cpy_tensor_async")], GGML),
        ([("ggml", "pending_sources"), ("ggml", "host_inputs")], GGML),
        ([("app", "host_write"), ("api", "cudaMemcpyAsync")], CUDA),
        ([("app", "ggml_of_mine"), ("api", "hipMemcpyAsync")], HIP),
        ([("app", "cuda_of_mine"), ("app", "host_read")], SCENARIO),
    ],
)
def test_the_fix_speaks_the_programs_api(
    calls: list[tuple[str, str]], said: tuple[str, str]
) -> None:
    touches = tuple(
        replace(touch, op=replace(touch.op, level=level, call=call))
        for touch, (level, call) in zip(LATENT.touches, calls, strict=True)
    )
    lines = fix_lines(replace(LATENT, touches=touches))
    assert lines[0] == "order the second after the first; the host need not wait:"
    assert said[0] in lines[1]
    assert said[1] in lines[2]


def test_the_fix_of_a_host_write_waits_for_one_event_or_takes_slots() -> None:
    lines = fix_lines(RACE)
    assert "slots" in lines[0]
    assert "ggml_backend_event_synchronize(ev)" in lines[2]
    read = replace(RACE, rule="RACE04", touches=(RACE.touches[0], _reading(RACE.touches[1])))
    assert fix_lines(read)[0] == "wait for the event of that op only, not for the device:"


def _reading(touch: Touch) -> Touch:
    return replace(touch, mode="read")


def test_the_fix_of_a_free_moves_the_free() -> None:
    freed = replace(RACE, rule="LIFE01")
    assert fix_lines(freed)[0].startswith("move the free behind an event of the last use")


def test_two_threads_need_a_signal() -> None:
    first = Touch(WRITE, "write", "exact", "x", "HOST a", True)
    second = Touch(LAUNCH, "read", "exact", "x", "Vulkan0", False)
    lines = fix_lines(replace(RACE, touches=(first, second), edge=edge(knower="Vulkan0", of="a")))
    assert lines[0].startswith("signal from the first thread after op 426")


def test_a_latent_race_names_the_habit_that_hides_it() -> None:
    told = "\n".join(text.finding_lines(LATENT, "t"))
    assert "no documented happens-before edge" in told
    assert "a habit, no promise" in told
    assert "[warning, latent]" in " ".join(told.split())


def test_lost_data_is_never_called_clean() -> None:
    told = text.render([INCOMPLETE], GATE)
    assert "\nclean" not in told
    assert "not clean: data was lost" in told
    assert "incomplete" in told.splitlines()[-1]


def test_needless_syncs_are_no_race_and_the_pattern_is_told() -> None:
    told = text.render([replace(CLEAN, findings=(NEEDLESS,))], GATE)
    assert max(map(len, told.splitlines()[:-1])) <= 100
    assert (
        "no race: every two conflicting accesses have a happens-before edge; 1 needless sync above"
        in told
    )
    assert "pattern iig[CPU]sasascscscscg[Vulkan0]dS:s" in told
    assert "no race" not in text.render([FOUND], GATE)


def test_syncs_that_only_the_unseen_needs_are_called_not_provable() -> None:
    told = text.render([CLEAN], GATE)
    assert (
        "3 needless, 8 needed, 2 not provable (needed if a habit fails, or by accesses not seen)"
        in " ".join(told.split())
    )
    proven = replace(CLEAN, syncs=SyncPlaces(3, 8, 0))
    assert "0 not provable\n" in text.render([proven], GATE)
    assert "places:" not in text.render([replace(CLEAN, syncs=SyncPlaces(0, 0, 0))], GATE)


def test_injected_faults_come_before_all_else() -> None:
    for results in ([FAULTY], [CLEAN, FAULTY]):
        told = text.render(results, GATE)
        assert told.count("FAULT INJECTION in this run: the syncs at site 3fa2c81b.0") == 1
        assert told.count(", FAULTS INJECTED)") == 1
    assert text.render([FAULTY], GATE).startswith("FAULT INJECTION in this run")
    assert "FAULT" not in text.render([FOUND], GATE)


def test_coverage_is_told_with_a_clean_verdict() -> None:
    assert "unseen  1,048,576 unwatched host bytes, 18 upper bound ranges" in text.render(
        [CLEAN], GATE
    )


def test_colour_is_added_only_when_asked_for() -> None:
    assert "\033[" not in text.render([FOUND], GATE)
    assert "\033[31m" in text.render([FOUND], GATE, colour=True)


def test_concise_puts_the_place_first() -> None:
    assert line(RACE).startswith("ggml-backend.cpp:301: error: RACE05 ")
    assert line(RACE).endswith("63x [3f9c1e07]")


def test_concise_names_the_profile_where_there_are_several() -> None:
    several = replace(FOUND, profiles=("catalogue", "hip-doc"), host_orders=("strict", "strict"))
    races = [told for told in concise.render([several], Gate()).splitlines() if "RACE05" in told]
    assert [told.partition(", under ")[2] for told in races] == [
        f"{finding.profile}, {finding.count}x [{finding.id}]"
        for finding in FOUND.findings
        if finding.rule == "RACE05"
    ]
    assert ", under " not in concise.render([FOUND], Gate())


def test_order_that_makes_nothing_visible_is_told_in_one_line() -> None:
    """No word of a missing edge or of a useless wait: the order is there."""
    assert LATENT.edge is not None
    edge = replace(LATENT.edge, hidden_by="records (unfenced): an event without a fence")
    lines = text.finding_lines(replace(LATENT, verdict="ordered-not-visible", edge=edge), "t")
    [at] = [n for n, line in enumerate(lines) if "makes it visible" in line]
    first, second = LATENT.ops
    assert lines[at] == (
        f"  op {first} is before op {second}, but nothing makes it visible on another device"
    )
    assert lines[at + 1].strip() == "ordered only by records (unfenced): an event without a fence"
    assert lines[at + 2] == ""
    assert not [line for line in lines if "happens-before" in line or "present:" in line]
    assert any("created with its fence" in line for line in lines)


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ("certain", "error"),
        ("latent", "warning"),
        ("ordered-not-visible", "warning"),
        ("host-order-assumed", "warning"),
        ("range-guess", "warning"),
        ("mode-unknown", "warning"),
    ],
)
def test_only_certain_races_are_errors(verdict: str, told: str) -> None:
    assert severity("error", verdict) == told


@pytest.mark.parametrize(
    ("results", "fail_on", "code"),
    [
        ([CLEAN], "error", 0),
        ([CLEAN], "note", 0),
        ([FOUND], "never", 0),
        ([replace(CLEAN, findings=(NEEDLESS, LATENT))], "error", 0),
        ([replace(CLEAN, findings=(NEEDLESS,))], "warning", 1),
        ([FOUND], "error", 1),
        ([CLEAN, FOUND], "error", 1),
        ([INCOMPLETE], "error", 3),
        ([INCOMPLETE], "warning", 3),
        ([CLEAN, INCOMPLETE], "error", 3),
        ([FOUND, INCOMPLETE], "error", 1),
        ([replace(FOUND, complete=False)], "error", 1),
        ([replace(FOUND, complete=False)], "never", 3),
    ],
)
def test_exit_codes(results: list[Checked], fail_on: str, code: int) -> None:
    assert exit_code(results, Gate(fail_on)) == code


@pytest.mark.parametrize("mode", ["read", "write", "read_write", "may", "poison", "unknown"])
def test_how_bytes_are_touched_fits_its_column(mode: str) -> None:
    """Eight letters, the last a space."""
    assert 0 < len(words.label(replace(RACE.touches[1], mode=mode))) < 8
