"""A table from opening to close: decks and dealing, seats and money."""
