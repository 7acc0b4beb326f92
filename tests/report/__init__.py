"""Reports: whole outputs and wording."""
