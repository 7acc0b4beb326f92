"""The engine's headers and its Python side say the same: numbers, names, the layout of structs."""

import ctypes
import re
from collections.abc import Iterator
from enum import IntFlag
from pathlib import Path

import pytest

from synctrace.analyzer import abi, profile
from synctrace.tracer import kinds

NATIVE = Path(__file__).parents[2] / "analyzer/native"
STRUCTS: dict[str, type[ctypes.Structure]] = {
    "placement": abi.Placement,
    "kind": abi.KindRow,
    "ranges": abi.RangeColumns,
    "gap": abi.Gap,
    "change": abi.Change,
    "config": abi.ConfigStruct,
    "batch": abi.BatchStruct,
    "conflict": abi.Conflict,
    "need": abi.Need,
    "needed_pair": abi.NeededPair,
    "hidden_pair": abi.HiddenPair,
    "stats": abi.Stats,
}
TYPES: dict[str, type] = {
    "uint8_t": ctypes.c_uint8,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "struct st_ranges": abi.RangeColumns,
}


def header(name: str) -> str:
    """A header without its comments."""
    return re.sub(r"//[^\n]*", "", (NATIVE / name).read_text())


def fields(body: str) -> Iterator[tuple[str, object]]:
    """Name and ctypes type of each field of a struct, in order."""
    for declaration in filter(str.strip, body.split(";")):
        match = re.fullmatch(r"\s*(?:const )?((?:struct )?\w+)\s(.*)", declaration, re.S)
        assert match, declaration
        for declarator in match[2].split(","):
            name, length = re.fullmatch(r"\s*(\*?\w+)(?:\[(\d+)\])?\s*", declarator).groups()  # type: ignore[union-attr]
            if name.startswith("*"):
                yield name[1:], ctypes.c_void_p
            else:
                of = TYPES[match[1]]
                yield name, of * int(length) if length else of


def numbers(text: str, enum: str) -> dict[str, int]:
    """Names and values of an enum, in order; `1 << n` is understood."""
    [body] = re.findall(rf"enum {enum}\b[^{{]*{{(.*?)}}", text, re.S)
    found = re.findall(r"(\w+) = (\d+)(?: << (\d+))?", body)
    assert found
    return {name: int(value) << int(shift or 0) for name, value, shift in found}


def test_every_struct_is_compared() -> None:
    named = set(re.findall(r"\bstruct st_(\w+) {", header("engine.h")))
    assert named == set(STRUCTS)


@pytest.mark.parametrize("name", STRUCTS)
def test_structs_have_the_same_layout(name: str) -> None:
    [body] = re.findall(rf"\bstruct st_{name} {{(.*?)}};", header("engine.h"), re.S)
    assert list(fields(body)) == list(STRUCTS[name]._fields_)


def test_a_field_out_of_place_is_seen() -> None:
    assert list(fields("uint8_t a; const uint64_t *b, *c; uint64_t d[128];")) == [
        ("a", ctypes.c_uint8),
        ("b", ctypes.c_void_p),
        ("c", ctypes.c_void_p),
        ("d", ctypes.c_uint64 * 128),
    ]


def test_edges_are_the_profiles_in_their_order() -> None:
    edges = numbers(header("engine.h"), "st_edge")
    named = [name.removeprefix("ST_").lower().replace("_", "-") for name in edges]
    assert tuple(named) == profile.EDGES
    assert list(edges.values()) == [1 << bit for bit in range(len(profile.EDGES))]


def test_numbers_of_the_interface_agree() -> None:
    text = header("engine.h")
    places = numbers(text, "st_place")
    assert list(places.values()) == [int(place) for place in profile.Place]
    assert [name.removeprefix("ST_") for name in places][1:] == [p.name for p in profile.Place][1:]
    keys = {"ST_NO_KEYS": abi.NO_KEYS, "ST_SITES": abi.SITES, "ST_HABITS": abi.HABITS}
    keys["ST_EDGES"] = abi.EVERY_EDGE
    assert numbers(text, "st_keys") == keys
    extents = {"ST_PART": abi.PART, "ST_WHOLE": abi.WHOLE, "ST_EVERYTHING": abi.EVERYTHING}
    assert numbers(text, "st_extent") == extents
    hazards = [f"ST_{hazard.upper().replace('-', '_')}" for hazard in abi.HAZARDS]
    assert numbers(text, "st_hazard") == {name: i for i, name in enumerate(hazards)}
    assert "ST_NONE = ~(uint64_t)0;" in text
    assert ctypes.c_uint64(~0).value == abi.NO_ID


# BLOCKING would be two things in C++: a flag of a call and one of a stream.
RENAMED = {"BLOCKING_CALL": "BLOCKING"}


@pytest.mark.parametrize("name", ["Flag", "StreamFlag", "Kind"])
def test_numbers_of_the_trace_agree(name: str) -> None:
    there = numbers(header("flags.h"), name)
    here = getattr(kinds, name)
    assert there == {name: here[RENAMED.get(name, name)].value for name in there}


def test_what_gives_no_effect_agrees() -> None:
    text = header("flags.h")
    [listed] = re.findall(r"WITHOUT_EFFECT = ([\w| ]+);", text)
    flags: IntFlag = kinds.Flag(0)
    for name in listed.split(" | "):
        flags |= kinds.Flag[name]
    assert flags == kinds.NO_EFFECT | kinds.Flag.CAPTURED


def test_sizes_of_the_vocabularies_agree() -> None:
    found = dict(re.findall(r"\b(KINDS|MEMORIES|THREAD) = (\d+)", header("flags.h")))
    assert {name: int(value) for name, value in found.items()} == {
        "KINDS": abi.KINDS,
        "MEMORIES": abi.MEMORIES,
        "THREAD": kinds.ActorKind.THREAD,
    }
    assert max(kinds.Kind) < abi.KINDS
    assert max(kinds.MemoryKind) == abi.MEMORIES - 1
    assert max(kinds.Level) < 8, "st_config.levels has a bit for each"
