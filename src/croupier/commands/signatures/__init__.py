"""What people type: names, options and their help. What a command does is imported when it runs,
so that `croupier --help` answers at once."""
