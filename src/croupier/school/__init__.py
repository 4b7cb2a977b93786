"""Practice and school: decisions priced by the solvers, drills, exams, what each person knows."""
