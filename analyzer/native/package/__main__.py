"""`python -m synctrace`."""

from synctrace.analyzer.cli import main

main()
