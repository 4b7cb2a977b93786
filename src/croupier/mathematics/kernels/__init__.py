"""Compiled functions: how they are declared, kept on disk, loaded and compiled ahead of use."""
