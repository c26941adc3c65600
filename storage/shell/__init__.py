"""What commands share: options, tables for people and scripts, what `status` and `events` print."""
