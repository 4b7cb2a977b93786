"""Exercises for dealers and the floor. A seed makes a position; the engine gives the answer."""
