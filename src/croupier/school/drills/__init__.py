"""Exercises for dealers and floorpersons. A seed makes a position; the engine gives the answer."""
