"""All objects against all, cut into tasks whose results are joined again."""
