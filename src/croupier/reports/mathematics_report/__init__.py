"""The mathematics report of a game: one record computed by the engine, in four forms."""
