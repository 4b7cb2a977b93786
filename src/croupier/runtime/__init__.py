"""Run a table: plan commands, write them, and only then apply them."""
