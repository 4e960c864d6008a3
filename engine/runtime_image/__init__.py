"""The runtime as one native object: kernels compiled side by side, linked with the glue."""
