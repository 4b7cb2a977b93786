"""Every wager besides the main game, counted exactly."""
