"""Reports on events, to share: pictures and numbers as a web page, a PDF or a picture."""
