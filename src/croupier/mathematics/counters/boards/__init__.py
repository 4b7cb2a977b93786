"""Two cards of one's own and a board shared with the dealer."""
