"""Every wager beside the main game, counted exactly."""
