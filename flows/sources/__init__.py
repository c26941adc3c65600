"""Sources of catalogues: services, addresses and files, and the services' usage rules."""
