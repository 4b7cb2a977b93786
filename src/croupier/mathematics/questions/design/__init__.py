"""Looking for paytables: all ways to fill open lines, and those that are as wished."""
