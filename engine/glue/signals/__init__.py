"""Glue for signals: what a program asks of them, how they are sent, when handlers run."""
