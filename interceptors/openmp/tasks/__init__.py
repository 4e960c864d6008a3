"""Explicit tasks: their queue, dependences, reductions, loops of tasks, waits that run tasks."""
