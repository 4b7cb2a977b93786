"""`python -m croupier`."""

from croupier.commands.app import main

main()
