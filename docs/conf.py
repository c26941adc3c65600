"""The site of the documents, with a search that needs no server: `make docs` writes it into docs/site."""

from sphinx.application import Sphinx

project = "skysieve"
html_title = "skysieve"
html_theme = "furo"
html_show_copyright = html_show_sphinx = False
extensions = ["myst_parser"]
myst_heading_anchors = 4
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "deploy/*.md", "deploy/*/*.md"]

ROOMS = {
    "Use": "commands settings fleets alerts manoeuvres messages trajectories cookbook python site http",
    "Methods": "screening fragmentations probability decay environment validation performance synthetic",
    "Data": "data store schema glossary",
    "Run it": "operations /deploy/README /deploy/systemd/README /deploy/docker/README "
    "/deploy/kubernetes/README /deploy/prometheus/README /deploy/tls/README /SECURITY",
    "Change it": "/CONTRIBUTING decisions /CHANGELOG",
}


def _contents() -> str:
    blocks = []
    for caption, names in ROOMS.items():
        paths = [name if name.startswith("/") else f"/docs/{name}" for name in names.split()]
        blocks.append(
            "\n".join(["", "```{toctree}", f":caption: {caption}", ":hidden:", "", *paths, "```", ""])
        )
    return "\n".join(blocks)


def _complete(_: Sphinx, name: str, source: list[str]) -> None:
    """Add what only the site has: the contents, and the way to the reference."""
    if name == root_doc:
        source[0] += _contents()
    if name == "docs/python":
        source[0] += '\n## Reference\n\n<a href="../skysieve.html">All functions and classes</a>\n'


def setup(app: Sphinx) -> None:
    """Register with Sphinx, which calls this."""
    app.connect("source-read", _complete)
