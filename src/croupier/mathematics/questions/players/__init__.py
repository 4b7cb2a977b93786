"""Ways to play, prepared for many rounds."""
