"""A small split-graph scheduler whose every copy, event, sync and launch is recorded."""
