"""A table in play: commands are planned, written, and only then true."""
