"""Checks of an operator's Rules Submission against the game's document."""
