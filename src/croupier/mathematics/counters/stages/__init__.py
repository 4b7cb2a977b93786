"""Own and community cards seen in stages, without a dealer's hand."""
