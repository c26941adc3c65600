"""Conjunction data messages of services: Space-Track and TraCSS."""
