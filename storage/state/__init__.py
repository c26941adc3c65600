"""`service.sqlite`: state kept between runs, from credentials to facts about objects."""
