"""Many schedules of one program, and of many programs: what a single run does not show."""
