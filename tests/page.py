"""A page of the docs as a script: its files are written, its commands run in order by one shell."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

BLOCK = re.compile(r"```(console|toml|python|c)\n(.*?)```\n", re.DOTALL)
MARK = "--- command "


def commands(block: str) -> list[str]:
    """Lines of a console block that somebody types."""
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def script(text: str) -> Iterator[str]:
    """The page as one script: what each command prints follows its number."""
    number = 0
    for kind, block in BLOCK.findall(text):
        if kind == "console":
            for command in commands(block):
                yield f"echo; echo '{MARK}{number}'\n{command}"
                number += 1
        else:
            name = block.split("\n", 1)[0].lstrip("#/ ")
            yield f"cat >{name} <<'END'\n{block}END"


def run_all(text: str, folder: Path, variables: Mapping[str, str] | None = None) -> list[str]:
    """Output of each command."""
    env = {**os.environ, **(variables or {})}
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    done = subprocess.run(
        ["bash", "-u", "-c", "\n".join(script(text))],
        cwd=folder, env=env, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    parts = re.split(rf"\n?{MARK}\d+\n", done.stdout)[1:]
    assert "Error" not in done.stderr, done.stderr
    return [part.rstrip("\n") for part in parts]


def written(text: str, outputs: list[str]) -> str:
    """The page with these outputs."""
    left = iter(outputs)

    def block(match: "re.Match[str]") -> str:
        if match[1] != "console":
            return match[0]
        lines = []
        for command in commands(match[2]):
            lines.append(f"$ {command}")
            lines += [line for line in [next(left)] if line]
        return "```console\n" + "\n".join(lines) + "\n```\n"

    return BLOCK.sub(block, text)


def plain(text: str) -> str:
    """Without what differs from run to run."""
    text = re.sub(r"\[[0-9a-f]{8}\]", "KEY", text)
    text = re.sub(r"\d[\d.]* ?(ns|us|ms|s)\b", "TIME", text)
    return re.sub(r"\[\d{9,},\d+\)|op \d+|\b[\d,]+ ops", "N", text)


def shown_and_printed(
    page: Path, folder: Path, variables: Mapping[str, str] | None = None
) -> tuple[str, str]:
    """The page as it is and as it is when run, to be compared.

    With SYNCTRACE_UPDATE=1 the outputs are written anew.
    """
    text = page.read_text(encoding="utf-8")
    found = written(text, run_all(text, folder, variables))
    if os.environ.get("SYNCTRACE_UPDATE"):
        page.write_text(found, encoding="utf-8")
        text = found
    return plain(text), plain(found)
