"""One file a command. Thin: each reads its options, calls one stage and prints."""
