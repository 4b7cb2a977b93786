"""Every wager of the main game line by line, and every decision action by action."""
