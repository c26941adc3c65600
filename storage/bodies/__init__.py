"""The table of bodies that comes with the package: what payloads measure and weigh, and whose they are."""
