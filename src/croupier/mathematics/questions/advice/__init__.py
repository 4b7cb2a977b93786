"""The exact value of every action on given cards."""
