"""What is answered, as plain functions over a snapshot."""
