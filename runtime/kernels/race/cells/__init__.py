"""FastTrack's shadow cells and records."""
