"""What follows from a finding: its places, steps, story, names, fingerprint."""
