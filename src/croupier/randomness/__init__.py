"""Is the shuffle fair? Chi-square tests over decks, and NIST SP 800-22 rev. 1a over their bits."""
