"""Machine-readable: keys are stable (docs/commands.md), words may improve."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from synctrace.analyzer import words
from synctrace.analyzer.baseline import SCHEMA
from synctrace.analyzer.finding import Checked, Finding, Measured, OpInfo
from synctrace.analyzer.gate import Gate, exit_code
from synctrace.analyzer.report.escape import as_json
from synctrace.analyzer.report.gates import counts as by_status
from synctrace.analyzer.report.summary import counts


def render(results: Sequence[Checked], gate: Gate) -> str:
    """One trace: its document. Several: their documents under `traces`."""
    made: dict[str, Any]
    if len(results) == 1:
        made = document(results[0], gate)
        made["summary"] |= _whole(results, gate)
    else:
        total = {s: sum(counts(c)[s] for c in results) for s in ("error", "warning", "note")}
        made = {
            "schema": SCHEMA,
            "traces": [document(c, gate) for c in results],
            "summary": {**total, "exit": exit_code(results, gate), **_whole(results, gate)},
        }
    return as_json(json.dumps(made, indent=1, ensure_ascii=False)) + "\n"


def _whole(results: Sequence[Checked], gate: Gate) -> dict[str, Any]:
    """What gates found in all traces together."""
    compared = gate.baseline
    return {
        "baseline": {
            "report": compared.report,
            **by_status(results),
            "gone": [asdict(each) for each in compared.gone],
        }
        if compared
        else None,
        "suppressions": [
            {
                **asdict(hits.suppression),
                "until": hits.suppression.until.isoformat() if hits.suppression.until else None,
                "findings": hits.findings,
                "instances": hits.instances,
                "expired": hits.expired,
                "asked": hits.asked,
            }
            for hits in gate.suppressions
        ],
        "max_findings": gate.max_findings,
        "min_coverage": gate.min_coverage,
        "unjudged": list(gate.unjudged),
        "unused_allowances": list(gate.unused_allowances),
        "config": gate.config,
    }


def document(checked: Checked, gate: Gate) -> dict[str, Any]:
    """Everything that was found in one trace."""
    return {
        "schema": SCHEMA,
        "trace": checked.trace,
        "complete": checked.complete,
        "coverage": dict(checked.coverage),
        "findings": [_finding(f) for f in checked.findings],
        "summary": {
            **counts(checked),
            "instances": sum(f.count for f in checked.findings if f.family != "trace"),
            "exit": exit_code([checked], gate),
            "profiles": list(checked.profiles),
            "passes": list(checked.passes),
            "host_order": dict(zip(checked.profiles, checked.host_orders, strict=True)),
            "rules": list(checked.rules),
            "ops": checked.census.ops,
            "dropped": checked.dropped,
            "lost": list(checked.lost),
            "faults": checked.faults,
            "suppressed": [
                {
                    "id": s.finding.id,
                    "rule": s.finding.rule,
                    "count": s.finding.count,
                    "severity": s.finding.severity,
                    "reason": s.reason,
                }
                for s in checked.suppressed
            ],
            "share": {
                **asdict(checked.share),
                "percent": int(checked.share.percent * 100) / 100,
            }
            if checked.share
            else None,
            "budgets": [_measured(one) for one in checked.budgets],
            "syncs": asdict(checked.syncs) if checked.syncs else None,
            "seconds": round(checked.seconds, 3),
        },
    }


def _finding(finding: Finding) -> dict[str, Any]:
    memory = finding.memory
    return {
        "id": finding.id,
        "rule": finding.rule,
        "family": finding.family,
        "verdict": finding.verdict,
        "why": finding.why,
        "severity": finding.severity,
        "profile": finding.profile,
        "level": finding.level,
        "ops": list(finding.ops),
        "buffer": (memory.name or f"storage #{memory.storage}") if memory else None,
        "lo": memory.lo if memory else None,
        "hi": memory.hi if memory else None,
        "count": finding.count,
        "verdicts": dict(finding.verdicts),
        "buffers": finding.buffers,
        "first": asdict(finding.first) if finding.first else None,
        "worst": asdict(finding.worst) if finding.worst else None,
        "sites": _sites(finding),
        "edge": _edge(finding),
        "cost_ns": finding.cost_ns,
        "size_bytes": finding.size_bytes,
        "message": finding.message,
        "proposal": _proposal(finding),
        "budget": _measured(finding.budget) if finding.budget else None,
        "status": finding.status,
        "was": finding.was,
    }


def _measured(one: Measured) -> dict[str, Any]:
    numbers = ("measure", "most", "judge", "iterations", "name", "median", "worst", "worst_at")
    return {
        **{name: getattr(one, name) for name in (*numbers, "exceeded", "over", "whole", "why")},
        "spenders": [
            {
                "amount": s.amount,
                "label": s.place.label,
                "key": s.place.key,
                "frames": [asdict(frame) for frame in s.place.frames],
            }
            for s in one.spenders
        ],
    }


def _sites(finding: Finding) -> list[dict[str, Any]]:
    if finding.sync:
        site = _site(finding.sync, finding.sync.stream or "HOST", finding.family)
        return [site | {"keys": list(finding.site_keys)}]
    return [_site(t.op, t.timeline, t.mode) for t in finding.touches]


def _site(op: OpInfo, timeline: str, mode: str) -> dict[str, Any]:
    return {
        "op": op.id,
        "call": op.call,
        "access": mode,
        "timeline": timeline,
        "thread": op.thread,
        "scope": list(op.scopes),
        "label": op.place.label,
        "key": op.place.key,
        "through": op.place.through,
        "frames": [
            {"function": f.function, "file": f.file, "line": f.line} for f in op.place.frames
        ],
    }


def _proposal(finding: Finding) -> dict[str, Any] | None:
    one = finding.proposal
    if one is None:
        return None
    return {
        "how": one.how,
        "event": one.event,
        "record": one.record.id if one.record else None,
        "before": one.before.id if one.before else None,
        "streams": list(one.streams),
        "recorded_on": list(one.recorded_on),
        "write": one.write.id if one.write else None,
        "read": one.read.id if one.read else None,
        "bytes": one.bytes,
    }


def _edge(finding: Finding) -> dict[str, Any] | None:
    edge = finding.edge
    if edge is None:
        return None
    return {
        "timeline": edge.knower,
        "of": edge.of,
        "known": edge.known,
        "needs": edge.needs,
        "present": edge.present.id if edge.present else None,
        "useless": edge.useless.id if edge.useless else None,
        "hidden_by": edge.hidden_by,
        "text": words.missing(edge),
    }
