"""Shared by commands: options, tables for readers and scripts, the output of `status` and `events`."""
