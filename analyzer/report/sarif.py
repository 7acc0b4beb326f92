"""SARIF 2.1.0, one run: each finding a result at its later access, related to the earlier one."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from synctrace.analyzer import words
from synctrace.analyzer.baseline import Known
from synctrace.analyzer.finding import Checked, Finding, OpInfo, Place, Touch
from synctrace.analyzer.gate import Gate, exit_code
from synctrace.analyzer.report.escape import as_json, printable
from synctrace.analyzer.report.gates import gate_texts
from synctrace.analyzer.report.location import Spot, frame_spot, root_of, spot
from synctrace.analyzer.report.merge import Told, merged
from synctrace.analyzer.report.rule_help import reporting_rules, rule_index
from synctrace.tracer.errors import EXIT_INCOMPLETE

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "%SRCROOT%"
_OWN = re.compile(r"([\\\[\]])")


def render(results: Sequence[Checked], gate: Gate, root: str | None = None) -> str:
    """All traces in one run: a service refuses or merges several runs of one tool."""
    results, gate = [printable(checked) for checked in results], printable(gate)
    folder = root_of(root)
    driver = {
        "name": "synctrace",
        "version": version("synctrace"),
        "rules": reporting_rules(of_trace=False),
        "notifications": reporting_rules(of_trace=True),
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(results, gate)],
        "results": [
            *(_result(told, folder) for told in merged(results)),
            *_suppressed(results, folder),
            *(_gone(each) for each in (gate.baseline.gone if gate.baseline else ())),
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return as_json(json.dumps(log, indent=1, ensure_ascii=False)) + "\n"


def _suppressed(results: Sequence[Checked], root: str) -> list[dict[str, Any]]:
    """Results that the settings suppress, each with the reason."""
    reasons = {s.finding.id: s.reason for c in results for s in c.suppressed}
    hidden = [replace(c, findings=tuple(s.finding for s in c.suppressed)) for c in results]
    return [
        _result(told, root)
        | {
            "suppressions": [
                {
                    "kind": "external",
                    "status": "accepted",
                    "justification": reasons[told.finding.id],
                }
            ]
        }
        for told in merged(hidden)
    ]


def _gone(known: Known) -> dict[str, Any]:
    """A result of the baseline that is no more."""
    return {
        "ruleId": known.rule,
        "ruleIndex": rule_index(known.rule),
        "level": known.severity,
        "message": _text(known.message),
        "partialFingerprints": {
            "primaryLocationLineHash": f"{known.id}:1",
            "synctrace/v1": known.id,
        },
        "baselineState": "absent",
    }


def _invocation(results: Sequence[Checked], gate: Gate) -> dict[str, Any]:
    """What the traces tell of themselves: lost data, what was not watched, injected faults."""
    told = [
        {
            "descriptor": {"id": f.rule, "index": rule_index(f.rule)},
            "level": f.severity,
            "message": _text(f"{checked.trace}: {f.message}"),
        }
        for checked in results
        for f in checked.findings
        if f.family == "trace"
    ]
    told += [
        {"level": "warning", "message": _text(f"{c.trace}: faults injected: {c.faults}")}
        for c in results
        if c.faults
    ]
    told += [
        {"level": "note", "message": _text(f"gate: {text}")} for text in gate_texts(results, gate)
    ]
    code = exit_code(results, gate)
    return {
        "executionSuccessful": code != EXIT_INCOMPLETE,
        "exitCode": code,
        "toolExecutionNotifications": told,
    }


def _result(told: Told, root: str) -> dict[str, Any]:
    finding = told.finding
    main, others = _ops(finding)
    made = {
        "ruleId": finding.rule,
        "ruleIndex": rule_index(finding.rule),
        "level": finding.severity,
        "message": _text(_sentences(finding)),
        "locations": [_location(main.place, root)],
        "partialFingerprints": {
            # The first is what GitHub compares: moved lines make no new alert.
            "primaryLocationLineHash": f"{finding.id}:1",
            "synctrace/v1": finding.id,
        },
        "occurrenceCount": finding.count,
        "stacks": [
            _stack(main, _noun(finding, main), root),
            *(_stack(touch.op, _access(touch), root) for touch in finding.touches[:-1]),
        ],
        "properties": _properties(told),
    }
    if finding.status:
        known = "unchanged" if finding.status == "known" else "new"
        made["baselineState"] = "updated" if finding.was else known
    if others:
        made["relatedLocations"] = [
            _location(op.place, root) | {"id": number, "message": _text(text)}
            for number, (op, text) in enumerate(others, start=1)
        ]
    return made


def _ops(finding: Finding) -> tuple[OpInfo, list[tuple[OpInfo, str]]]:
    """The op of the result, and the others with what they are."""
    if finding.sync:
        return finding.sync, []
    *before, last = finding.touches
    others = [(touch.op, _access(touch)) for touch in before]
    if edge := finding.edge:
        there = dict.fromkeys(op for op in (edge.present, edge.useless) if op)
        others += [
            (op, f"present: {text}") for op, text in zip(there, words.present(edge), strict=False)
        ]
    return last.op, others


def _access(touch: Touch) -> str:
    return f"first access ({words.label(touch)}): op {touch.op.id} {words.noun(touch.op)}"


def _noun(finding: Finding, op: OpInfo) -> str:
    return f"{'sync' if finding.sync else 'this access'}: op {op.id} {words.noun(op)}"


def _sentences(finding: Finding) -> str:
    parts = [finding.message]
    if finding.edge:
        parts.append(f"no happens-before edge: {words.missing(finding.edge)}")
    if finding.verdict not in ("certain", "provable"):
        parts.append(f"not certain: {finding.verdict}")
    return ". ".join([*parts, f"Seen {finding.count:,} x."])


def _properties(told: Told) -> dict[str, Any]:
    finding = told.finding
    made: dict[str, Any] = {
        "trace": told.trace,
        "verdict": finding.verdict,
        "profile": finding.profile,
        "ops": list(finding.ops[:2]),
    }
    if finding.memory:
        memory = finding.memory
        made |= {"buffer": memory.name, "lo": memory.lo, "hi": memory.hi}
    return made


def _location(place: Place, root: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if at := spot(place, root):
        made["physicalLocation"] = _physical(at)
    if named := [f.function for f in place.frames if f.function] or [place.label]:
        kind = {"kind": "function"} if place.frames else {}
        made["logicalLocations"] = [{"fullyQualifiedName": named[0] or "unknown", **kind}]
    return made


def _physical(at: Spot) -> dict[str, Any]:
    made: dict[str, Any]
    if at.path.startswith("/"):
        made = {"artifactLocation": {"uri": f"file://{quote(at.path)}"}}
    else:
        made = {"artifactLocation": {"uri": quote(at.path), "uriBaseId": BASE}}
    return made | ({"region": {"startLine": at.line}} if at.line else {})


def _stack(op: OpInfo, text: str, root: str) -> dict[str, Any]:
    frames = []
    for frame in op.place.frames:
        at = frame_spot(frame, root)
        name = [{"fullyQualifiedName": frame.function or "?", "kind": "function"}]
        physical = {"physicalLocation": _physical(at)} if at else {}
        frames.append({"location": {"logicalLocations": name, **physical}})
    return {"message": _text(text), "frames": frames}


def _text(text: str) -> dict[str, str]:
    """A message: brackets would be a link, and braces a placeholder."""
    return {"text": _OWN.sub(r"\\\1", text).replace("{", "{{").replace("}", "}}")}
