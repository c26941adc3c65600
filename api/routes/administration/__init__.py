"""What only administrators of an organisation see: its credentials, and its audit log."""
