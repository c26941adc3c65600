"""Sign in to the page and out: with a token, and by an OpenID Connect provider."""
