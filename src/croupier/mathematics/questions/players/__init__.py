"""Strategies prepared for many rounds."""
