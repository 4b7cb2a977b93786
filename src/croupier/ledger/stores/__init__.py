"""Databases for a journal: the tables, SQLite, PostgreSQL."""
