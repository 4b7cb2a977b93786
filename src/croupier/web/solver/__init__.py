"""The solvers on the web: advice, figures, design, practice and the school."""
