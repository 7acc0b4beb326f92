"""Rules as SARIF describes them: help as text and as markdown, from the rule's own file."""

from typing import Any

from synctrace.analyzer.explain import example
from synctrace.analyzer.rule import Rule, load_rule, rule_ids


def reporting_rules(*, of_trace: bool) -> list[dict[str, Any]]:
    """Descriptors of the rules that judge a program, or of those that speak of its trace."""
    rules = map(load_rule, rule_ids())
    return [_descriptor(rule) for rule in rules if (rule.family == "trace") == of_trace]


def rule_index(id_: str) -> int:
    """Place of a rule's descriptor: those that speak of a trace are a list of their own."""
    own = load_rule(id_).family == "trace"
    return [r for r in rule_ids() if (load_rule(r).family == "trace") == own].index(id_)


def _descriptor(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.name.replace("-", " ").split()),
        "shortDescription": {"text": rule.name},
        "fullDescription": {"text": _line(rule.why)},
        "help": {"text": _text(rule), "markdown": markdown(rule)},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"tags": ["synchronization", rule.family]},
    }


def _text(rule: Rule) -> str:
    return f"{_line(rule.why)}\n\nFix: {_line(rule.fix)}\n\nLimits: {_line(rule.limits)}"


def markdown(rule: Rule) -> str:
    """Why, a case that is reported and one that is not, fix and limits."""
    parts = [_line(rule.why)]
    if rule.family != "trace":
        for head, ops in (("Reported:", rule.bad), ("Not reported:", rule.good)):
            parts += [head, "\n".join(["```text", *example(ops), "```"])]
    parts += [f"**Fix.** {_line(rule.fix)}", f"**Limits.** {_line(rule.limits)}"]
    return "\n\n".join([*parts, f"More: `synctrace explain {rule.id}`"])


def _line(text: str) -> str:
    return " ".join(text.split())
