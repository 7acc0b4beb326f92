"""Stages order to command: read a trace, find races and needless syncs. Never touches a GPU."""
