"""The exact value of cards that a player sees but should not."""
