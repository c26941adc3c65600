"""The service as a process: socket, connections, HTTP/1.1, log."""
