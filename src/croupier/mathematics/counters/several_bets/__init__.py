"""Hold'em against the dealer with several wagers decided in play."""
