"""A table over time: decks and dealing, seats and money, from opening to close."""
