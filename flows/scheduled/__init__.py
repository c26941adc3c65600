"""Runs on a schedule, as a Prefect flow."""
