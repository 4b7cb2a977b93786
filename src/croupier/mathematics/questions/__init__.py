"""What is asked about a game, and the answers."""
