"""Databases of a journal: the tables, SQLite, PostgreSQL."""
