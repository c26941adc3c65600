"""Answers of the service, as plain functions over a snapshot."""
