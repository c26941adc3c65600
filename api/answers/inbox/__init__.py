"""What others send: files of any kind, and messages by encounter, beside ours and how far apart they are."""
