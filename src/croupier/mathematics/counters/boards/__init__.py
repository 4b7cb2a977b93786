"""Hold'em: two own cards and a board shared with the dealer."""
