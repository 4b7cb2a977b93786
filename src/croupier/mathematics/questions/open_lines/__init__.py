"""Paytables with lines left open: what each way of filling them comes to, line by line."""
