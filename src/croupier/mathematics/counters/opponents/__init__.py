"""Hand against hand without a board."""
