"""The store: every run and its events, as files that any number of readers may have open."""
