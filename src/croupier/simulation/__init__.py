"""Simulation: rounds played by the real engine, totaled to the cent and compared with exact
values."""
