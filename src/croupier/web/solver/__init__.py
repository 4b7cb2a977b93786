"""What the solvers answer on the web: advice, figures, design, practice, the school."""
