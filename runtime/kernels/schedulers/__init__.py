"""Schedulers: who runs next, and where another thread may go on; one file for each strategy."""
