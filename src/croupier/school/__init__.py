"""Practice and school: priced decisions, drills, exams, and each person's progress."""
