"""A rule: one SQL file of synctrace.rules, its whole story in the TOML header."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable

from synctrace.rules import rule_files
from synctrace.tracer.errors import SynctraceError

# What a rule's SELECT gives, by what its rows are. `pair`: one row a conflict, or (conflict NULL)
# one row a captured range or a use after a free. `branch`: one row two nodes of a graph. `place`:
# one row a place of judged syncs. `advice`: one row a place and `part` of what happens there; the
# part tells findings of one place apart, `what` completes the message, both in names only; NULL
# where nothing is known or meant. `count`: one row a kind of loss or blind spot. `budget`: one row
# a limit, exceeded (`over`) or not; `ops` are those of the worst iteration.
PAIR_COLUMNS = [
    *("conflict", "profile", "level", "verdict", "first_op", "second_op"),
    *("first_access", "second_access", "lo_byte", "hi_byte", "count"),
]
COLUMNS: dict[str, list[str]] = {
    "pair": PAIR_COLUMNS,
    "branch": [*PAIR_COLUMNS, "first_node", "second_node"],
    "place": ["profile", "level", "site", "verdict", "why", "ops", "count", "cost_ns"],
    "advice": [
        *("level", "site", "part", "what", "ops", "count", "cost_ns", "size_bytes", "access"),
    ],
    "count": ["what", "count"],
    "budget": [
        *("measure", "most", "median", "worst", "worst_number", "iterations", "count", "over"),
        *("level", "ops"),
    ],
}
_ROWS = {"race": "pair", "life": "pair", "sync": "place", "copy": "advice", "trace": "count"}
EVERY = "ALL"  # asked for in place of ids: advice too


@dataclass(frozen=True)
class Rule:
    """Header and SELECT of one rule.

    `rank`: of two rules with one pair, the lower one has it. `view`: where it has no rows, the rule
    finds nothing and need not be run. `rows`: what a row of its SELECT is, a key of COLUMNS.
    `budget`: of its examples, as the settings have it.
    """

    id: str
    name: str
    family: str
    severity: str
    rank: int
    view: str
    rows: str
    message: str
    why: str
    fix: str
    limits: str
    sources: tuple[str, ...]
    bad: tuple[dict[str, object], ...]
    good: tuple[dict[str, object], ...]
    bad_meta: dict[str, object]
    budget: dict[str, object]
    sql: str

    @property
    def is_advice(self) -> bool:
        """No proof of anything wrong: run only when it is asked for."""
        return self.rows == "advice"


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
        rows=header.get("rows", _ROWS[header["family"]]),
        message=header["message"],
        why=header["why"].strip(),
        fix=header["fix"].strip(),
        limits=header["limits"].strip(),
        sources=tuple(header["sources"]),
        bad=tuple(header["bad"]),
        good=tuple(header["good"]),
        bad_meta=header.get("bad_meta", {}),
        budget=header.get("budget", {}),
        sql=sql.strip(),
    )


def selected(select: Sequence[str], ignore: Sequence[str]) -> list[str]:
    """Ids of the rules to run: `select` (empty: all but advice) without `ignore`.

    A prefix names a family, ALL every rule. Raises SynctraceError for what names no rule.
    """
    for wanted in (*select, *ignore):
        if not _matching([wanted]):
            raise SynctraceError(
                f"no rule is called {wanted}: the rules are {', '.join(rule_ids())}"
            )
    chosen = _matching(select) if select else list(default_ids())
    left_out = set(_matching(ignore))
    return [id_ for id_ in chosen if id_ not in left_out]


@cache
def default_ids() -> tuple[str, ...]:
    """Ids of the rules that run unless asked otherwise: all but advice.

    Looks for the header's line only: reading all of a header takes a millisecond.
    """
    texts = {id_: file.read_text(encoding="utf-8") for id_, file in _files().items()}
    return tuple(id_ for id_, text in texts.items() if '\nrows = "advice"\n' not in text)


def _matching(prefixes: Sequence[str]) -> list[str]:
    wanted = tuple("" if p.upper() == EVERY else p.upper() for p in prefixes if p)
    return [id_ for id_ in rule_ids() if id_.startswith(wanted)]
