"""Hold'em against the dealer: every game of the family through one code path."""
