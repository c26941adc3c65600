"""Commands that operators decide together with: whom to call, what they intend, links to one event."""
