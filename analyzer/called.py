"""What reports call a function or a kernel: as its source spells it, without what makes it long."""

from functools import cache

from synctrace.analyzer.engine import demangled

LONGEST = 40  # characters of template arguments that are shown


@cache
def called(name: str) -> str:
    """A kernel's name without its type and parameters; long template arguments are left out."""
    if not name.startswith("_Z"):
        return name
    plain = demangled(name)
    kept, depth, start = [], 0, 0
    for at, letter in enumerate(plain):
        if letter == "<":
            start = at if depth == 0 else start
            depth += 1
        elif letter == ">" and depth:
            depth -= 1
            if depth == 0:
                kept.append(plain[start : at + 1] if at - start <= LONGEST else "<…>")
        elif depth == 0 and letter == "(" and not plain.startswith("(anonymous namespace)", at):
            break
        elif depth == 0:
            kept.append(letter)
    return "".join(kept).removeprefix("void ").strip() or plain
