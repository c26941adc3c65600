"""A static site of the newest run, for any web host: pages, pictures, data and feeds as files."""
