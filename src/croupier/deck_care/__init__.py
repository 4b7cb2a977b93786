"""The life of a deck at a live table: every step guided, recorded and waited for."""
