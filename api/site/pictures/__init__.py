"""Pictures of the site as SVG, in the colours of the page, light or dark."""
