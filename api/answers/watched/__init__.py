"""Answers about fleets, their events, changes and feeds (iCalendar, Atom), alerts and their messages."""
