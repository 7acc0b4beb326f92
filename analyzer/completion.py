"""What the shell completes behind TAB, by click's own protocol: traces, rules, profiles, queries.

    eval "$(_SYNCTRACE_COMPLETE=bash_source synctrace)"

Called with the command's context and the word that is not whole yet. Whatever goes wrong while one
looks, there is nothing to propose.
"""

from pathlib import Path

from click import Context, Parameter
from click.shell_completion import CompletionItem

_META = "meta.json"  # tracer/schema.py says so too, and would load Arrow at every TAB


def traces(context: Context, parameter: Parameter, word: str) -> list[CompletionItem]:
    """Trace folders that lie there; where there are none, folders to go on into."""
    folder, slash, start = word.rpartition("/")
    try:
        within = sorted(Path(folder or slash or ".").iterdir())
        found = [path.name for path in within if (path / _META).is_file()]
    except OSError:
        found = []
    items = [CompletionItem(f"{folder}{slash}{n}") for n in found if n.startswith(start)]
    return items or [CompletionItem(word, type="dir")]


def anything(context: Context, parameter: Parameter, word: str) -> list[CompletionItem]:
    """Files: the recorded program and what it is given."""
    return [CompletionItem(word, type="file")]


def rules(context: Context, parameter: Parameter, word: str) -> list[CompletionItem]:
    """Rule ids, their families and ALL, one behind the other."""
    from synctrace.analyzer.rule import load_rule, rule_ids

    known = {id_: load_rule(id_).name for id_ in rule_ids()}
    families = {id_.rstrip("0123456789"): "every rule of this family" for id_ in known}
    return _listed({"ALL": "every rule"} | families | known, word)


def profiles(context: Context, parameter: Parameter, word: str) -> list[CompletionItem]:
    """Shipped profiles, one behind the other."""
    from synctrace.analyzer.profile import load, shipped

    return _listed({name: load(name).title for name in shipped()}, word)


def saved_queries(context: Context, parameter: Parameter, word: str) -> list[CompletionItem]:
    """Saved queries."""
    from synctrace.analyzer.saved_query import saved, saved_doc

    return _items({name: saved_doc(name) for name in saved()}, word)


def explained(context: Context, parameter: Parameter, word: str) -> list[CompletionItem]:
    """Whatever `explain` knows by name."""
    from synctrace.analyzer.connect import macros, views
    from synctrace.analyzer.profile import shipped
    from synctrace.analyzer.rule import rule_ids
    from synctrace.analyzer.saved_query import saved
    from synctrace.tracer.schema import TABLES

    names = dict.fromkeys((*rule_ids(), *views(), *macros(), *saved(), *shipped(), *TABLES), "")
    return _items(names, word)


def explained_by(context: Context, parameter: Parameter, word: str) -> list[CompletionItem]:
    """Behind a profile another one, behind a finding's id a trace."""
    from synctrace.analyzer.profile import shipped

    if context.params.get("name") in shipped():
        return _items(dict.fromkeys(shipped(), ""), word)
    return traces(context, parameter, word)


def _listed(known: dict[str, str], word: str) -> list[CompletionItem]:
    """The last of names that are separated by commas; those that are there are kept."""
    before, comma, _ = word.rpartition(",")
    taken = set(before.upper().split(",")) | set(before.split(","))
    left = {f"{before}{comma}{n}": text for n, text in known.items() if n not in taken}
    return _items(left, word)


def _items(known: dict[str, str], word: str) -> list[CompletionItem]:
    return [CompletionItem(n, help=text or None) for n, text in known.items() if _starts(n, word)]


def _starts(name: str, word: str) -> bool:
    return name.lower().startswith(word.lower())
