"""Value, deviation and outcomes of a main game under the best play."""
