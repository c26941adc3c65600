"""The HTTP service, its commands and its reports."""
