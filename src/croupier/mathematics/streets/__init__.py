"""Streets without a dealer: cards turned up in steps, a decision at each, paytables at the end."""
