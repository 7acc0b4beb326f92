"""Rules, views, tables and profiles in words: for the terminal and for docs/.

python -m synctrace.analyzer.explain docs   writes docs/rules/*.md and docs/views.md
"""

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from synctrace.analyzer.connect import macros, views
from synctrace.analyzer.profile import load, shipped
from synctrace.analyzer.profile_diff import difference_lines
from synctrace.analyzer.profile_text import WIDTH, profile_lines
from synctrace.analyzer.rule import Rule, load_rule, rule_ids
from synctrace.analyzer.saved_query import (
    saved,
    saved_columns,
    saved_doc,
    saved_sql,
    saved_text,
)
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.schema import TABLES


def overview() -> str:
    """Everything that can be explained, one line each."""
    lines = ["Rules"]
    lines += [f"  {r.id:<16} {r.name} ({_asked(r)})" for r in map(load_rule, rule_ids())]
    lines += ["", "Views for `synctrace query`"]
    lines += [f"  {v.name:<16} {_first_line(v.doc)}" for v in views().values()]
    lines += ["", "Macros for `synctrace query`"]
    lines += [f"  {m.name:<16} {_first_line(m.doc)}" for m in macros().values()]
    lines += ["", "Saved queries for `synctrace query --saved`"]
    lines += [f"  {name:<16} {saved_doc(name)}" for name in saved()]
    lines += ["", "Profiles for `synctrace check --profile`"]
    lines += [f"  {name:<16} {load(name).title}" for name in shipped()]
    lines += ["", "Tables as stored: docs/trace.md"]
    lines += ["  " + line for line in textwrap.wrap(" ".join(TABLES), WIDTH - 2)]
    return "\n".join([*lines, "", "next: synctrace explain NAME"]) + "\n"


def _asked(rule: Rule) -> str:
    """Severity, and whether the rule runs by itself."""
    return f"{rule.severity}, with --select" if rule.is_advice else rule.severity


def _first_line(doc: str) -> str:
    return textwrap.shorten(doc.split(". ")[0].rstrip("."), WIDTH - 19, placeholder=" …")


def explain(name: str) -> str:
    """Text of the rule, view, table or profile of this name, or of the profile in a .toml file.

    Raises SynctraceError otherwise.
    """
    if name.upper() in rule_ids():
        return "\n".join(_rule_text(load_rule(name.upper()))) + "\n"
    if name in views() or name in TABLES or name in saved():
        return "\n\n".join("\n".join(lines) for lines in _asked_by(name)) + "\n"
    if name in macros():
        return "\n".join(_macro_text(name)) + "\n"
    if is_profile(name):
        return "\n".join(profile_lines(load(name))) + "\n"
    raise SynctraceError(
        f"there is no rule, view, macro, table, saved query or profile {name}: `synctrace explain`"
        " lists them all"
    )


def is_profile(name: str) -> bool:
    """Whether this names a profile: a shipped one, or a .toml file."""
    return name in shipped() or name.endswith(".toml")


def difference(one: str, other: str) -> str:
    """Where two profiles differ. Raises SynctraceError if one of them is none."""
    return "\n".join(difference_lines(load(one), load(other))) + "\n"


def _rule_text(rule: Rule) -> Iterator[str]:
    yield f"{rule.id} {rule.name} [{_asked(rule)}]"
    yield ""
    yield from _paragraph(rule.why)
    yield "" if rule.family == "trace" else "\nReported:"
    yield from (f"  {line}" for line in (() if rule.family == "trace" else example(rule.bad)))
    yield from () if rule.family == "trace" else ("", "Not reported:")
    yield from (f"  {line}" for line in (() if rule.family == "trace" else example(rule.good)))
    yield "\nFix"
    yield from (f"  {line}" for line in _paragraph(rule.fix, WIDTH - 2))
    yield "\nLimits"
    yield from (f"  {line}" for line in _paragraph(rule.limits, WIDTH - 2))
    yield "\nSources"
    yield from (f"  {source}" for source in rule.sources)
    yield "\nSQL"
    yield from (f"  {line}".rstrip() for line in rule.sql.splitlines())


def _paragraph(text: str, width: int = WIDTH) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), width)


def example(ops: tuple[dict[str, Any], ...]) -> list[str]:
    """A rule's scenario, one line an op: number, op, stream, event, bytes."""
    lines = []
    for number, op in enumerate(ops):
        words = [f"{number:>2}  {op['op']:<17}", f"{op.get('stream', ''):<4}", op.get("event", "")]
        for verb in ("reads", "writes"):
            spans = [f"{b}[{lo}, {lo + size})" for b, lo, size in op.get(verb, ())]
            words += [f"{verb} {', '.join(spans)}"] if spans else []
        words += [f"{k}={v}" for k, v in op.get("attrs", {}).items()]
        lines.append(" ".join(w for w in words if w).rstrip())
    return lines


def _asked_by(name: str) -> Iterator[list[str]]:
    """The view, the table and the saved query of this name: what each holds, then how to ask."""
    if view := views().get(name):
        yield [f"view {name}: {view.doc}", "", *_columns_text(view.columns)]
    if table := TABLES.get(name):
        yield [
            f"table {name} as stored: {table.doc}",
            "",
            *(f"  {c.name:<16} {c.type!s:<8} {c.doc}" for c in table.columns),
        ]
    if view:
        yield [f'next: synctrace query TRACE "FROM {name} LIMIT 10"']
    if name in saved():
        yield [f"saved query {name}: {saved_text(name)}", "", *_columns_text(saved_columns(name))]
        yield ["SQL", *(f"  {line}" for line in saved_sql(name).splitlines())]
        yield [f"next: synctrace query TRACE --saved {name}"]


def _columns_text(columns: dict[str, str]) -> list[str]:
    return [f"  {column:<16} {doc}" for column, doc in columns.items()]


def _macro_text(name: str) -> Iterator[str]:
    yield f"macro {name}"
    yield ""
    yield from _paragraph(macros()[name].doc)
    yield f'\nnext: synctrace query TRACE "SELECT id FROM op WHERE {name}(id, 10)"'


def _when(rule: Rule) -> str:
    return f" Advice: runs with `check --select {rule.id}`." if rule.is_advice else ""


def rule_page(rule: Rule) -> str:
    """docs/rules/ID.md."""
    lines = [
        f"# {rule.id} {rule.name}",
        "",
        f"<!-- Made by `python -m synctrace.analyzer.explain docs`: edit rules/{rule.id}.sql. -->",
        "",
        f"Severity: {rule.severity}. Family: {rule.family}.{_when(rule)}",
        "",
        "\n".join(_paragraph(rule.why)),
        "",
    ]
    if rule.family != "trace":
        lines += ["Reported:", "", "```", *example(rule.bad), "```", ""]
        lines += ["Not reported:", "", "```", *example(rule.good), "```", ""]
    lines += ["## Fix", "", "\n".join(_paragraph(rule.fix)), ""]
    lines += ["## Limits", "", "\n".join(_paragraph(rule.limits)), ""]
    lines += ["## Sources", "", *(f"- {source}" for source in rule.sources), ""]
    return "\n".join([*lines, "## SQL", "", "```sql", rule.sql, "```", ""])


def rules_index() -> str:
    """docs/rules/README.md."""
    lines = [
        "# Rules",
        "",
        "<!-- Made by `python -m synctrace.analyzer.explain docs`: edit rules/*.sql. -->",
        "",
        "One pair of ops is one finding: of two rules that have it, the one with the lower rank.",
        "A race or lifetime error that is not certain is a warning, whatever stands here.",
        "Those marked run only where `check --select` names them: `--select SYNC,COPY`, or `ALL`.",
        "",
        "| rule | name | severity | rank |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| [{r.id}]({r.id}.md) | {r.name} | {_asked(r)} | {r.rank} |"
        for r in map(load_rule, rule_ids())
    ]
    return "\n".join(lines) + "\n"


def views_page() -> str:
    """docs/views.md."""
    lines = [
        "# Views",
        "",
        "<!-- Made by `python -m synctrace.analyzer.explain docs`: edit analyzer/views.sql. -->",
        "",
        'What `synctrace query TRACE "SELECT …"` can ask. Ids name rows within one trace; byte',
        "offsets count from the start of the storage and a range ends before its `hi_byte`.",
        "`conflict`, `need`, `need_pair`, `needless`, `needless_op`, `over_broad`, `avoidable`,",
        "`finding` and `edge` run the order engine when a query names them (`over_broad` and",
        "`avoidable` many times), and so does the macro [`hb(a, b)`](#hb). `conflict` has the",
        "edges that are missing, `edge` those that are there.",
        "",
    ]
    for view in views().values():
        lines += [f"## {view.name}", "", view.doc, "", *_columns_table(view.columns), ""]
    lines += ["## Macros", ""]
    for macro in macros().values():
        lines += [f"### {macro.name}", "", *_paragraph(macro.doc), ""]
    lines += ["## Saved queries", "", "Ask with `synctrace query TRACE --saved NAME`;"]
    lines += ["`synctrace explain NAME` shows the SQL, to start from.", ""]
    for name in saved():
        lines += [f"### {name}", "", saved_text(name), "", *_columns_table(saved_columns(name)), ""]
    return "\n".join(lines)


def _columns_table(columns: dict[str, str]) -> list[str]:
    rows = (f"| `{name}` | {doc.replace('|', chr(92) + '|')} |" for name, doc in columns.items())
    return ["| column | meaning |", "|---|---|", *rows]


def pages() -> dict[str, str]:
    """Every generated page by its path within docs/."""
    made = {f"rules/{id_}.md": rule_page(load_rule(id_)) for id_ in rule_ids()}
    return made | {"rules/README.md": rules_index(), "views.md": views_page()}


def write_pages(docs: Path) -> None:
    """Write the generated pages."""
    for name, text in pages().items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import sys

    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: python -m synctrace.analyzer.explain FOLDER, which must be there: docs")
    write_pages(Path(sys.argv[1]))
