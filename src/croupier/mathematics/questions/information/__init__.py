"""Cards that a player sees and should not: what they are worth, exactly."""
