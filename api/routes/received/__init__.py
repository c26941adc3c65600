"""The inbox: what others send, of any kind, and their messages by encounter."""
