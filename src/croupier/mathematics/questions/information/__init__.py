"""The exact value of cards that a player sees and should not."""
