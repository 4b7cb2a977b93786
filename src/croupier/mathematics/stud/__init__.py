"""235 Stud: raises on own cards, or with other players' third cards known."""
