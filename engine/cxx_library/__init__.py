"""The C++ library of the bundled compiler, compiled from source with checks."""
