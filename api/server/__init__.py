"""The process of the service: socket, connections, HTTP/1.1, log."""
