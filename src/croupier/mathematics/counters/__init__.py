"""Three ways to count cards: on shared boards, against an opponent, in stages."""
