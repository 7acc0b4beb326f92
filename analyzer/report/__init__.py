"""One file an output format over one finding type."""
