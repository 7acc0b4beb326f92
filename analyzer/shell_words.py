"""What TAB proposes at the prompt of `query`: views, columns, SQL, the prompt's own commands."""

import re
from collections.abc import Iterable

from synctrace.analyzer.connect import macros, views, without_comments
from synctrace.analyzer.saved_query import saved

COMMANDS = {
    ".help": "what can be typed here",
    ".views": "the views; .views NAME: its columns",
    ".saved": "the saved queries; .saved NAME: ask one",
    ".quit": "leave, as does Ctrl-D",
}
KEYWORDS = (
    *("SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "HAVING", "LIMIT", "JOIN", "LEFT JOIN"),
    *("USING", "ON", "AS", "WITH", "UNION ALL", "DISTINCT", "DESCRIBE", "AND", "OR", "NOT", "IN"),
    *("IS NULL", "LIKE", "BETWEEN", "CASE", "WHEN", "THEN", "ELSE", "END", "EXISTS", "OVER"),
    *("PARTITION BY", "FILTER", "DESC", "ASC", "NULLS LAST", "count(", "sum(", "min(", "max("),
    *("avg(", "median(", "string_agg(", "unnest(", "coalesce(", "round("),
)
_FROM = re.compile(r"\b(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?", re.I)
_ENDS_AT_VIEW = re.compile(r"\b(?:FROM|JOIN|DESCRIBE)\s+$", re.I)


def proposals(before: str, word: str, after: str = "") -> list[str]:
    """Words that may stand in the place of `word`.

    `before` is the statement up to it, earlier lines included, `after` what stands behind it.
    """
    if before.strip().startswith(".") or (not before.strip() and word.startswith(".")):
        return _of_command(before, word)
    if _ENDS_AT_VIEW.search(before):
        return _fitting(views(), word)
    named = _views_of(f"{before} {after}")
    name, dot, start = word.rpartition(".")
    if dot:
        columns = views()[named[name.lower()]].columns if name.lower() in named else ()
        return [f"{name}.{column}" for column in _fitting(columns, start)]
    if not word:
        return []
    read = named.values() or views()  # SELECT comes before FROM
    known = [column for view in read for column in views()[view].columns]
    keywords = KEYWORDS if word.isupper() else tuple(keyword.lower() for keyword in KEYWORDS)
    return _fitting(dict.fromkeys((*known, *views(), *macros(), *keywords)), word)


def _of_command(before: str, word: str) -> list[str]:
    given = before.split()
    if not given:
        return _fitting(COMMANDS, word)
    choices = {".saved": tuple(saved()), ".views": tuple(views())}
    return _fitting(choices.get(given[0], ()), word) if len(given) == 1 else []


def _views_of(statement: str) -> dict[str, str]:
    """Views that a statement reads, by their own name and by the one it gives them."""
    named = {}
    for view, alias in _FROM.findall(without_comments(statement)):
        if view.lower() in views():
            named[view.lower()] = view.lower()
            if alias:
                named[alias.lower()] = view.lower()
    return named


def _fitting(choices: Iterable[str], word: str) -> list[str]:
    return [name for name in choices if name.lower().startswith(word.lower())]
