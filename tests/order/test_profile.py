"""Profiles are read whole or refused with a sentence that names file, statement and expectation."""

from pathlib import Path

import pytest

from synctrace.analyzer.abi import Placement
from synctrace.analyzer.engine import Placements
from synctrace.analyzer.passes import MUST
from synctrace.analyzer.placements import placements
from synctrace.analyzer.profile import JUDGED, load, shipped
from synctrace.analyzer.statement import Class, Place
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind

HEAD = 'name = "mine"\ntitle = "Mine"\n'
STATEMENT = '[[statement]]\nkind = ["kernel"]\n'
HABIT = """
[[habit]]
kind = ["kernel"]
min_bytes = 8
max_bytes = 16
reads = { place = "host", class = "impl", source = "test" }
"""


@pytest.mark.parametrize("name", shipped())
def test_shipped_profiles_speak_of_every_judged_sync(name: str) -> None:
    told = {kind for statement in load(name).statements for kind in statement.kinds}
    assert told >= JUDGED - {Kind.DEVICE_SYNC}


def test_last_statement_that_matches_holds() -> None:
    profile = load("catalogue")
    staged = profile.statement(Kind.MEMCPY_ASYNC_H2D, MemoryKind.PAGEABLE, Flag(0))
    pinned = profile.statement(Kind.MEMCPY_ASYNC_H2D, MemoryKind.PINNED, Flag(0))
    unstaged = profile.statement(Kind.MEMCPY_ASYNC_H2D, MemoryKind.PAGEABLE, Flag.UNSTAGED)
    assert staged != pinned == unstaged
    assert profile.statement(Kind.MARK, MemoryKind.UNKNOWN, Flag(0)) is None


def test_a_level_given_twice_is_one_level(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + 'base = "cuda-doc"\nlevels = ["api", "api"]\n')
    assert load(str(path)).levels == (Level.API,)


def rows(table: Placements, kind: Kind) -> list[Placement]:
    """The placements of a kind."""
    row = table.kinds[kind]
    count = (max(row.memory) + 1) * (row.sizes + 1) << row.flags
    return list(table.rows[row.first : row.first + count])


def test_habits_are_left_out_of_promises() -> None:
    [full] = rows(placements(load("ggml-contract"), frozenset(Class)), Kind.TENSOR_COPY_ASYNC)
    [bare] = rows(placements(load("ggml-contract"), MUST), Kind.TENSOR_COPY_ASYNC)
    assert full.habit_edges
    assert bare.edges == full.edges & ~full.habit_edges
    assert not bare.habit_edges


@pytest.mark.parametrize(
    ("name", "lives"), [("ggml-contract", "distinct"), ("catalogue", "shared")]
)
def test_frees_end_a_storage_where_lives_are_distinct(name: str, lives: str) -> None:
    """Of what the profile speaks of; a block of a caching allocator is never at its end."""
    profile = load(name)
    assert profile.lives == lives
    table = placements(profile, MUST)
    frees = {kind for kind in Kind if any(row.frees for row in rows(table, kind))}
    told = {kind for statement in profile.statements for kind in statement.kinds}
    assert frees == ({Kind.FREE, Kind.FREE_HOST} if lives == "distinct" else set())
    assert frees <= told


@pytest.mark.parametrize("name", ["cuda-doc", "hip-doc", "catalogue"])
def test_pools_hand_out_again_where_lives_are_distinct(name: str) -> None:
    table = placements(load(name), MUST)
    pool = {kind for kind in Kind if any(row.pool for row in rows(table, kind))}
    assert pool == (set() if name == "catalogue" else {Kind.ALLOC_ASYNC, Kind.FREE_ASYNC})


def test_which_work_has_sources_that_may_be_rewritten() -> None:
    """What a device reads of host memory; not what a call has read before it returns."""
    model = load("hip-doc")
    assert not any(row.rewrites for row in placements(model, MUST).rows)
    table = placements(model, MUST, rewrites=True)
    kinds = {kind for kind in Kind if any(row.rewrites for row in rows(table, kind))}
    assert kinds == {Kind.MEMCPY_ASYNC_H2D, Kind.KERNEL, Kind.GRAPH_LAUNCH}
    staged = model.statement(Kind.MEMCPY_ASYNC_H2D, MemoryKind.PAGEABLE, Flag(0))
    uploads = rows(table, Kind.MEMCPY_ASYNC_H2D)
    assert [row.rewrites for row in uploads if row.habit == staged] == [0]


def test_path_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + STATEMENT + 'reads = "stream"\n')
    assert load(str(path)).name == "mine"


def written(path: Path, text: str) -> str:
    path.write_text(HEAD + text)
    return str(path)


def test_a_file_takes_over_its_base(tmp_path: Path) -> None:
    """Its own statements come after those of the base, its habits are put into them all."""
    head = 'host_reads = "at-sync"\nhost_writes = "at-sync"\n'
    written(tmp_path / "base.toml", head + STATEMENT + 'reads = "stream"\n')
    profile = load(written(tmp_path / "own.toml", 'base = "base.toml"\n' + HABIT))
    assert profile.base == "mine"
    assert (profile.host_reads, profile.host_writes) == ("at-sync", "at-sync")
    [small, large] = profile.statements
    assert (small.min_bytes, large.min_bytes, large.max_bytes) == (0, 8, 16)
    assert small.moved == {}
    assert large.places(MUST) == (Place.STREAM, Place.NONE)
    assert large.places(frozenset(Class)) == (Place.HOST, Place.NONE)


def test_an_own_statement_holds_instead_of_the_base(tmp_path: Path) -> None:
    profile = load(
        written(tmp_path / "own.toml", 'base = "cuda-13"\n[[statement]]\nkind = ["free"]\n')
    )
    index = profile.statement(Kind.FREE, MemoryKind.DEVICE, Flag(0))
    assert index is not None
    assert profile.statements[index].edges == ()
    base = load("cuda-13")
    index = base.statement(Kind.FREE, MemoryKind.DEVICE, Flag(0))
    assert index is not None
    assert base.statements[index].edges


def test_a_profile_is_not_its_own_base(tmp_path: Path) -> None:
    written(tmp_path / "one.toml", 'base = "two.toml"\n')
    name = written(tmp_path / "two.toml", 'base = "one.toml"\n')
    with pytest.raises(SynctraceError, match=r"two\.toml: the head is its own base"):
        load(name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'title': add it, or start from a shipped profile by base = \"cuda-doc\""),
        ("", "the head has no key 'name', 'statement', 'title': add"),
        (STATEMENT, "the head has no key 'name', 'title': add it"),
        ("a = ", "is not TOML"),
        (
            HEAD + "colour = 1\n" + STATEMENT,
            "the head has the unknown key 'colour': expected one of base",
        ),
        (HEAD + 'host_reads = "never"\n' + STATEMENT, "expected one of stated, at-sync"),
        (HEAD + 'host_writes = "never"\n' + STATEMENT, "expected one of stated, at-sync"),
        ('name = ""\ntitle = "t"\n' + STATEMENT, "has name = '': expected printable text"),
        ('name = "a,b"\ntitle = "t"\n' + STATEMENT, "expected text without ,"),
        ('name = "m"\ntitle = " "\n' + STATEMENT, "has title = ' ': expected printable text"),
        (HEAD + "levels = []\n" + STATEMENT, "has levels = []: expected at least 1"),
        (HEAD + "[[statement]]\nkind = []\n", "has kind = []: expected at least 1"),
        (HEAD + STATEMENT + 'with = ["pdl"]\nwithout = ["pdl"]\n', "no op is both"),
        (HEAD + STATEMENT + '[[habit]]\nkind = ["kernel"]\n', "habit 1 (kernel) adds nothing"),
        (
            HEAD + STATEMENT + 'edges = [{ edge = "launch", class = "must", source = "" }]\n',
            "has source = '': expected printable text",
        ),
        (HEAD + STATEMENT + "colour = 1\n", "statement 1 (kernel) has the unknown key 'colour'"),
        (HEAD + '[[statement]]\nkind = ["kernal"]\n', "statement 1 (kernal) has kind = 'kernal'"),
        (HEAD + STATEMENT + 'reads = "gpu"\n', "expected one of none, host, stream, queue"),
        (HEAD + STATEMENT + 'with = "pdl"\n', "has with = 'pdl': expected a list"),
        (HEAD + STATEMENT + 'edges = [{ edge = "launch" }]\n', "statement 1 (kernel) has no key"),
        (
            HEAD + STATEMENT + 'edges = [{ edge = "x", class = "must", source = "s" }]\n',
            "has edge = 'x': expected one of launch",
        ),
        (HEAD + STATEMENT + "min_bytes = 2\nmax_bytes = 1\n", "no size is both"),
        (HEAD + STATEMENT + "min_bytes = true\n", "min_bytes = True: expected a whole number"),
        (HEAD + 'base = "cuda"\n', "has base = 'cuda': expected one of catalogue"),
        (HEAD + STATEMENT + HABIT.replace("kernel", "memset"), "habit 1 (memset) adds to no"),
        (HEAD + STATEMENT + HABIT.replace("impl", "must"), "expected one of impl, may"),
        (
            HEAD + STATEMENT + 'edges = [{ edge = "launch", class = "ought", source = "s" }]\n',
            "has class = 'ought': expected one of must, impl, may",
        ),
    ],
)
def test_what_no_profile_can_say(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(SynctraceError) as error:
        load(str(path))
    assert told in str(error.value)
    assert str(path) in str(error.value)


def test_unknown_profile_lists_the_shipped_ones() -> None:
    with pytest.raises(SynctraceError, match=r"did you mean catalogue\? .*ggml-contract"):
        load("catalog")


def test_missing_file() -> None:
    with pytest.raises(SynctraceError, match=r"cannot read profile nowhere\.toml"):
        load("nowhere.toml")
