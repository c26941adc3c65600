"""Authentication: bearer tokens, API keys, the session of the web page."""
