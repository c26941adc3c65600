"""`skysieve up`: all processes of an installation as one group."""
