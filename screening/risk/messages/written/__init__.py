"""Conjunction data messages written: one list of keywords and values, as KVN, XML and JSON."""
