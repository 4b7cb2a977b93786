"""The dealer's console as an examination room: what is chosen, judged, and told at the end."""
