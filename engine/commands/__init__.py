"""What the command line asks for: a run, a batch, a look at the machine, an instrumented file."""
