"""Hold'em against the dealer on a board of three or four cards."""
