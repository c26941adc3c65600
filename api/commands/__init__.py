"""Commands of the service: serve, tokens, analyze, report."""
