"""What Croupier takes, measured beside others in one run: `make bench`."""
