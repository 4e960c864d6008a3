"""Sites: the number of a place in the program, and what a report shows of it."""
