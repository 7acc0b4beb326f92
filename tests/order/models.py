"""Profiles that a test makes for itself: a base of host accesses, kernels and syncs, and more."""

from pathlib import Path


def statement(kind: str, edges: str = "", **keys: object) -> str:
    """A statement of a profile: `edges` as `NAME` or `NAME:CLASS`, other keys by name."""
    lines = [f'[[statement]]\nkind = ["{kind}"]']
    lines += [f"{key.rstrip('_')} = {value!r}".replace("'", '"') for key, value in keys.items()]
    told = [edge.partition(":") for edge in edges.split()]
    rows = [
        f'{{ edge = "{name}", class = "{klass or "must"}", source = "says {name}" }}'
        for name, _, klass in told
    ]
    return "\n".join([*lines, f"edges = [{', '.join(rows)}]"])


BASE = (
    statement("host_read", reads="host"),
    statement("host_write", writes="host"),
    statement("kernel", "launch legacy", reads="stream", writes="stream"),
    statement("memset_async", "launch legacy", writes="stream"),
    statement("event_record", "launch records"),
    statement("event_wait", "launch actor-waits-event"),
    statement("event_sync", "host-waits-event"),
    statement("stream_sync", "host-waits-actor"),
    statement("thread_signal", "signals"),
    statement("thread_wait", "host-waits-signal"),
)


def profile(path: Path, *statements: str) -> str:
    """A profile of the base and these statements; its path."""
    file = path / f"mine-{len(list(path.iterdir()))}.toml"  # profiles are kept by path
    file.write_text("\n".join(['name = "mine"\ntitle = "Made by a test"', *BASE, *statements]))
    return str(file)
