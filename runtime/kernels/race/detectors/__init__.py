"""Race detectors other than FastTrack: full vectors, DJIT+, TSan, Eraser."""
