"""Paytables with open lines: the figures of every filling, line by line."""
