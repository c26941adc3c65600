"""All objects against all, cut into tasks and joined again."""
