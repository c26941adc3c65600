"""The machine, apart from any store: memory, the folder of kernels, file permissions."""
