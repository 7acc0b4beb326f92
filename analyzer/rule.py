"""A rule: one SQL file of synctrace.rules, its whole story in the TOML header."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable

from synctrace.rules import rule_files
from synctrace.tracer.errors import SynctraceError

# What a rule's SELECT gives, by family. RACE and LIFE: one row a conflict, or (conflict NULL) one
# row a captured range. SYNC: one row a place. TRACE: one row a kind of loss or blind spot.
PAIR_COLUMNS = [
    *("conflict", "profile", "level", "verdict", "first_op", "second_op"),
    *("first_access", "second_access", "lo_byte", "hi_byte", "count"),
]
COLUMNS: dict[str, list[str]] = {
    "race": PAIR_COLUMNS,
    "life": PAIR_COLUMNS,
    "sync": ["profile", "level", "site", "verdict", "why", "ops", "count", "cost_ns"],
    "trace": ["what", "count"],
}


@dataclass(frozen=True)
class Rule:
    """Header and SELECT of one rule.

    `rank`: of two rules with one pair, the lower one has it. `view`: where it has no rows, the rule
    finds nothing and need not be run.
    """

    id: str
    name: str
    family: str
    severity: str
    rank: int
    view: str
    message: str
    why: str
    fix: str
    limits: str
    sources: tuple[str, ...]
    bad: tuple[dict[str, object], ...]
    good: tuple[dict[str, object], ...]
    bad_meta: dict[str, object]
    sql: str


def rule_ids() -> list[str]:
    """Ids of all rules, in order."""
    return list(_files())


@cache
def _files() -> dict[str, Traversable]:
    return {f.name.removesuffix(".sql"): f for f in rule_files()}


@cache
def load_rule(id_: str) -> Rule:
    """The rule with this id; KeyError if there is none."""
    import tomllib

    text = _files()[id_].read_text(encoding="utf-8")
    head, sql = text.removeprefix("/*").split("*/", 1)
    header = tomllib.loads(head)
    return Rule(
        id=header["id"],
        name=header["name"],
        family=header["family"],
        severity=header["severity"],
        rank=header["rank"],
        view=header["view"],
        message=header["message"],
        why=header["why"].strip(),
        fix=header["fix"].strip(),
        limits=header["limits"].strip(),
        sources=tuple(header["sources"]),
        bad=tuple(header["bad"]),
        good=tuple(header["good"]),
        bad_meta=header.get("bad_meta", {}),
        sql=sql.strip(),
    )


def selected(select: Sequence[str], ignore: Sequence[str]) -> list[str]:
    """Ids of the rules to run: `select` (empty: all) without `ignore`; a prefix names a family.

    Raises SynctraceError for an id or prefix that names no rule.
    """
    for wanted in (*select, *ignore):
        if not _matching([wanted]):
            raise SynctraceError(
                f"no rule is called {wanted}: the rules are {', '.join(rule_ids())}"
            )
    chosen = _matching(select) if select else rule_ids()
    left_out = set(_matching(ignore))
    return [id_ for id_ in chosen if id_ not in left_out]


def _matching(prefixes: Sequence[str]) -> list[str]:
    return [i for i in rule_ids() if any(p and i.startswith(p.upper()) for p in prefixes)]
