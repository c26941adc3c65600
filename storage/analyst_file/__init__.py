"""`skysieve.duckdb`, the file that analysts open."""
