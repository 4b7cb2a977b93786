"""Compiled functions: how they are declared, stored, loaded and compiled in advance."""
