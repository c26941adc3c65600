"""Middleware that every request and every answer passes through."""
