"""What happened, read out of the journal: past rounds, searches, records of the floor."""
