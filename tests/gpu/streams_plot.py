"""Draws what tests/gpu/scheduler.py timed: when each device was at work, policy under policy.

    python tests/gpu/streams_plot.py OUT.svg "TITLE" timeline-POLICY.json…

One scale for all, from the first work of each: a policy that is done sooner ends further left.
"""

import json
import sys
from html import escape
from pathlib import Path

WIDTH, LEFT, TOP = 960, 74, 44
LANE, GAP, PANEL_GAP = 15, 3, 44
COLOURS = ("#3569a8", "#c8742b", "#4f8f4f", "#8a5aa0", "#a03b3b", "#5a7f8f", "#9a8a2f", "#6b6b6b")
COPY = "#1c1c1c"
SEEN = 0.2  # narrower than that nothing shows

Row = tuple[str, str, float, float]  # device, what ran, from and to in us


def panel(name: str, rows: list[Row], top: int, scale: float) -> list[str]:
    """A lane a device: launches of its splits, copies above them."""
    devices = sorted({row[0] for row in rows})
    last = max(row[3] for row in rows)
    drawn = [text(LEFT, top - 8, f"{name}: {last / 1e3:.1f} ms", weight="bold")]
    for lane, device in enumerate(devices):
        y = top + lane * (LANE + GAP)
        drawn.append(text(LEFT - 8, y + LANE - 4, device, anchor="end"))
        drawn.append(box(LEFT, y, WIDTH - LEFT - 20, LANE, "#f1f1f1"))
        for _, label, start, end in (row for row in rows if row[0] == device):
            is_copy = label == "copy"
            x, width = LEFT + start * scale, (end - start) * scale
            if width < SEEN:
                continue
            colour = COPY if is_copy else COLOURS[lane % len(COLOURS)]
            drawn.append(box(x, y, width, 4 if is_copy else LANE, colour))
    return drawn


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    size = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {size} fill="{colour}"/>'


def text(x: float, y: float, words: str, anchor: str = "start", weight: str = "normal") -> str:
    look = f'text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(words)}</text>'


def axis(y: float, most_us: float, scale: float) -> list[str]:
    """Time below the last panel, ms."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if most_us / 1e3 / s <= 12)
    ticks = range(0, int(most_us / 1e3) + 1, step)
    return [text(LEFT + ms * 1e3 * scale, y, f"{ms} ms", anchor="middle") for ms in ticks]


def draw(title: str, panels: dict[str, list[Row]]) -> str:
    """The picture of all policies."""
    most = max(row[3] for rows in panels.values() for row in rows)
    scale = (WIDTH - LEFT - 20) / most
    drawn, y = [text(LEFT, 18, title)], TOP + 8
    for name, rows in panels.items():
        drawn += panel(name, rows, y, scale)
        y += len({row[0] for row in rows}) * (LANE + GAP) + PANEL_GAP - GAP
    drawn += axis(y - 20, most, scale)
    size = f'width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}"'
    style = 'font-family="sans-serif" font-size="11"'
    ground = box(0, 0, WIDTH, y, "white")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>'
    return "\n".join([head, ground, *drawn, "</svg>", ""])


def main() -> None:
    out, title, *files = sys.argv[1:]
    named = {Path(file).stem.removeprefix("timeline-"): Path(file) for file in files}
    panels = {name: json.loads(path.read_text()) for name, path in named.items()}
    Path(out).write_text(draw(title, panels))


if __name__ == "__main__":
    main()
