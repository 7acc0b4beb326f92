"""The rules are data: one SQL file a rule, its whole story in the header."""

from importlib.resources import files
from importlib.resources.abc import Traversable


def rule_files() -> list[Traversable]:
    """Every rule file of the product, in the order of their ids."""
    found = [f for f in files(__name__).iterdir() if f.name.endswith(".sql")]
    return sorted(found, key=lambda f: f.name)
