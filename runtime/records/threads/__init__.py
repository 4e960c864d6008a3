"""What is kept of threads: their objects, signals, timers, OpenMP, what runs at exit."""
