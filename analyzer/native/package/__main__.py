"""`python -m synctrace`, and the command: an interrupt while it loads is an interrupt."""

import sys


def main() -> None:
    """Load the commands and run the one that was asked for."""
    try:
        from synctrace.analyzer.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
