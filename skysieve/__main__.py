"""Run the command line as `python -m skysieve`."""

from skysieve.command_line import start

start()
