"""Commands of the service: serve, tokens, analyze, manoeuvre, report."""
