"""All that is asked about a main game, and who of the solvers answers what."""
