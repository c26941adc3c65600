"""Events in words, for every reader: the page, reports, calendars, feeds, mail and the terminal."""
