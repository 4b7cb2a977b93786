"""The library: `croupier/__init__.py` lists its public names."""
