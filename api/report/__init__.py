"""Reports on events, to send on: pictures and numbers as a web page, a PDF or a picture."""
