"""Stack frames: redzones, scopes, shadow frames, arrivals by longjmp and exceptions."""
