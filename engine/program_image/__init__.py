"""A program's units as native code: instrumented, optimised, generated, cached."""
