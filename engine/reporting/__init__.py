"""The report of a whole run: its files, its figures, the verdicts of earlier runs."""
