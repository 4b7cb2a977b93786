"""Practice for players: hands from a seed, every decision priced, exams that anybody can
recompute."""
