"""Parameters of functions by their mangled names, as another reader (c++filt) tells them."""

import subprocess
from collections.abc import Iterable


def parameters(demangled: str) -> list[str]:
    """The types between the last parentheses of a demangled name."""
    found, depth, part = [], 0, ""
    for letter in reversed(demangled if demangled.endswith(")") else ""):
        depth += (letter in ")>]") - (letter in "(<[")
        if depth == 0:
            break
        if letter == "," and depth == 1:
            found.append(part[::-1].strip())
            part = ""
        elif depth > 1 or letter != ")":
            part += letter
    return [*reversed([*found, part[::-1].strip()])] if part.strip() else []


def pointers_to_const(names: Iterable[str]) -> dict[str, str]:
    """Of each name a letter a parameter: "c" for a pointer to const, else "-".

    Those of a pack at the end are left out where they are such pointers: the name has them as one.
    """
    mangled = sorted(set(names))
    done = subprocess.run(
        ["c++filt"], input="\n".join(mangled), capture_output=True, text=True, check=True
    )
    found = {}
    for name, line in zip(mangled, done.stdout.splitlines(), strict=True):
        const = [p.endswith((" const*", " const volatile*")) for p in parameters(line)]
        letters = "".join("c" if one else "-" for one in const)
        found[name] = letters.rstrip("c") if "Dp" in name else letters
    return found
