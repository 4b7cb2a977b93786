"""Simulation: rounds through the real engine, added up to the cent, compared with exact values."""
