"""Sockets and names of hosts."""
