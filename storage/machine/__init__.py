"""What belongs to this machine and no store: memory, the folder of kernels, rights to files."""
