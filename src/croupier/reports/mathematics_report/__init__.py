"""The mathematics report of a game: one record, asked of the engine, in four forms."""
