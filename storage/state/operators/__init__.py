"""Operators of objects: whom to call, what they intend at an event, and links that open it for them."""
