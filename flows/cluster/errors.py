"""Errors of a cluster. Does not import Dask."""

from screening.errors import SkysieveError


class ClusterError(SkysieveError):
    """The Dask cluster cannot be reached, or lost its workers."""
