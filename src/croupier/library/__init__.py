"""What `import croupier` offers: rulebooks, settlement, figures, advice, tables and journals.

The records here are for people who write Python; `croupier/__init__.py` lists the public names.
"""
