"""All rounds of a main game under the best play, and what follows from them."""
