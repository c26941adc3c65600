"""The forms of messages, KVN, XML and JSON, taken apart into entries: keyword, value, line."""
