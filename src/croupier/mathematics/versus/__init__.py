"""Hand against hand without a board: the player's cards, the dealer's, and one decision."""
