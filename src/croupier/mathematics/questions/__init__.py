"""Questions about a game, and their answers."""
