"""Operators: whom to call, what they intend, and a link for those without a credential."""
