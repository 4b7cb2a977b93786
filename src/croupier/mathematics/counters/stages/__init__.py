"""Cards of one's own and of a board, seen in stages."""
