"""Fairness of the shuffle: chi-square tests over decks, and NIST SP 800-22 rev. 1a over
their bits."""
