"""Parts of the site that have a page of their own, and a line in its menu, if there is something to say."""
