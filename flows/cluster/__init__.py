"""A screening spread over Dask, on this machine or on others."""
