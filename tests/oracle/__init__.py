"""A second, independent implementation of settlement: slow, plain, and never importing Croupier."""
