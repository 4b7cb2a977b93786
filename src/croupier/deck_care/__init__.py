"""Care of the decks at a live table: the software prompts for every step, records it, and lets play
continue only once it is done."""
