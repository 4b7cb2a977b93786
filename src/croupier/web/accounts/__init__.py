"""People, guests and their sessions; the guard before every request."""
