"""The search for paytables that meet a target."""
