"""`service.sqlite`: what is remembered between runs, from credentials to facts about objects."""
