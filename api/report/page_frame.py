"""What all pages of the report share: look, head, and pictures as SVG elements."""

import io
import re
from html import escape

from matplotlib.figure import Figure

from storage.pictures import style

_CSS = f"""
:root {{ color-scheme: light; }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; max-width: 62rem; padding: 1.5rem; background: {style.PAPER}; color: {style.INK};
  font: 15px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }}
header {{ display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: center; }}
h1, h2 {{ font-size: 1.6rem; line-height: 1.2; margin: 0; flex: 1 1 20rem; }}
h3 {{ font-size: 1.05rem; margin: 1.6rem 0 .3rem; }}
.which {{ flex-basis: 100%; color: {style.MUTED}; margin: 0; }}
.level {{ color: {style.PAPER}; font-weight: 700; font-size: .85rem; text-transform: uppercase;
  border-radius: .4rem; padding: .25rem .6rem; print-color-adjust: exact; }}
.notice {{ background: {style.NOTICE}; color: {style.NOTICE_INK}; padding: .4rem .8rem; margin: .5rem 0 0;
  border-left: 4px solid {style.NOTICE_INK}; }}
dl {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .8rem;
  margin: 1rem 0; }}
dt {{ color: {style.MUTED}; font-size: .8rem; }}
dd {{ margin: 0; font-size: 1.25rem; font-weight: 700; }}
.pictures {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
  gap: .5rem 1.5rem; }}
figure {{ margin: 0; break-inside: avoid; }}
svg {{ width: 100%; height: auto; display: block; }}
.scroll, section > figure {{ overflow-x: auto; }}
section > figure svg {{ min-width: 36rem; }}
table {{ border-collapse: collapse; width: 100%; min-width: 36rem; font-size: .86rem;
  font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: .18rem .6rem .18rem 0; border-bottom: 1px solid {style.GRID};
  vertical-align: baseline; }}
thead th {{ color: {style.MUTED}; border-color: {style.FAINT}; }}
tbody th {{ font-weight: 400; white-space: pre; }}
.value {{ text-align: right; font-weight: 700; white-space: nowrap; }}
.number {{ text-align: right; white-space: nowrap; }}
.pairs :is(th, td) {{ white-space: nowrap; }}
.aside {{ color: {style.MUTED}; }}
article + article, .digest article {{ border-top: 2px solid {style.GRID}; margin-top: 2.5rem;
  padding-top: 2rem; }}
@page {{ size: A4; margin: 12mm 11mm; @bottom-right {{ content: counter(page) " / " counter(pages); }} }}
@media print {{
  :root {{ font-size: 10.7pt; }}
  body {{ max-width: none; padding: 0; font-size: 9pt; }}
  dl {{ grid-template-columns: repeat(5, 1fr); margin: .5rem 0; gap: .4rem; }}
  dd {{ font-size: 1.05rem; }}
  h1, h2 {{ font-size: 1.3rem; }}
  h3 {{ margin: .8rem 0 .2rem; break-after: avoid; }}
  p {{ margin: .25rem 0; }}
  table {{ min-width: 0; font-size: 8.2pt; }}
  .pairs td {{ white-space: normal; }}
  tr {{ break-inside: avoid; }}
  .scroll, section > figure {{ overflow: visible; }}
  section > figure svg {{ min-width: 0; }}
  a {{ color: inherit; text-decoration: none; }}
  .pictures {{ grid-template-columns: 1fr 1fr; gap: .2rem .6rem; }}
  article + article {{ break-before: page; border: 0; margin: 0; padding: 0; }}
  section {{ break-inside: avoid; }}
  .digest article {{ break-before: auto; break-inside: avoid; border-top: 1px solid {style.FAINT};
    margin: .4rem 0 0; padding: .3rem 0 0; }}
  .digest :is(article > section, figure:nth-of-type(2), figure:nth-of-type(n + 4), .messages,
    .notice, h3) {{ display: none; }}
  .digest article > p {{ display: inline; font-size: 8.2pt; line-height: 1.3; }}
  .digest :is(dl, header, .which) {{ margin-block: .1rem; line-height: 1.25; }}
}}
"""

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="skysieve">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
"""
# matplotlib gives groups the same names in every picture; nothing refers to them.
_GROUP_ID = re.compile(r'<g id="[^"]*">')
_SIZE = re.compile(r'(<svg [^>]*?)width="[^"]*" height="[^"]*"|(<svg [^>]*?)height="[^"]*" width="[^"]*"')


def page_head(title: str) -> str:
    """Return everything before the content of a page."""
    return _HEAD.format(title=escape(title), css=_CSS)


def svg(name: str, figure: Figure) -> str:
    """Return a picture as an SVG element; text is drawn as shapes, to look the same everywhere."""
    drawn = io.StringIO()
    figure.savefig(
        drawn, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
    )
    text = drawn.getvalue()
    text = _GROUP_ID.sub("<g>", text[text.index("<svg ") :])
    text = _SIZE.sub(lambda found: found[1] or found[2], text, count=1)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(name)}" ', 1)
