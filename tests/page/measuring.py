"""Boxes of a page, measured: what is cut off, which labels and which controls lie over each other."""

from playwright.sync_api import Page

# A text is in reach if what cuts it off can be scrolled, tells it to a pointer (`title`), or leads to it.
_CUT_OFF = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const home = node.parentElement;
    if (!node.data.trim()) continue;
    if (!home.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (home.closest('option, script, .visually-hidden, .skip, [aria-hidden=true]:not(svg *)')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    for (let place = home; place && place !== document.documentElement; place = place.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(place);
      const clip = place.getBoundingClientRect();
      const cut = (low, high) =>
        boxes.some((box) => box[low] < clip[low] - 1.5 || box[high] > clip[high] + 1.5);
      if (['auto', 'scroll'].includes(overflowX) && cut('left', 'right')) break;
      if (['auto', 'scroll'].includes(overflowY) && cut('top', 'bottom')) break;
      const isCut = (['hidden', 'clip'].includes(overflowX) && cut('left', 'right'))
        || (['hidden', 'clip'].includes(overflowY) && cut('top', 'bottom'));
      if (isCut) {
        if (!home.closest('[title], a[href], button, .c-object')) found.push(node.data.trim());
        break;
      }
      if (position === 'fixed') break;
    }
  }
  return found;
}"""

_LABELS = """() => {
  const found = [];
  for (const picture of document.querySelectorAll('svg')) {
    if (!picture.checkVisibility()) continue;
    const texts = [...picture.querySelectorAll('text')]
      .filter((x) => x.textContent.trim())
      .filter((x) => x.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((x) => [x.textContent, x.getBoundingClientRect()])
      .filter(([, box]) => box.width > 0);
    texts.forEach(([one, a], i) => {
      for (const [other, b] of texts.slice(i + 1)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // Boxes of lines are higher than their letters.
        if (wide > 1 && high > 3) found.push(`${one} | ${other}`);
      }
    });
  }
  return found;
}"""

_CONTROLS = """() => {
  const both = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
    .filter((x) => !x.closest('.skip'))
    .filter((x) => x.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const boxes = controls.map((control) => {
    let seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let place = control.parentElement; place; place = place.parentElement) {
      if (getComputedStyle(place).overflowY !== 'visible') seen = both(seen, place.getBoundingClientRect());
    }
    return [...control.getClientRects()].map((box) => both(seen, box));
  });
  const name = (x) => x.getAttribute('aria-label') ?? (x.textContent.trim() || x.id);
  const found = [];
  controls.forEach((one, i) => {
    for (let j = i + 1; j < controls.length; j += 1) {
      const other = controls[j];
      if (one.contains(other) || other.contains(one)) continue;
      if (one.closest('.track')) continue; // events stand on the time bar
      const over = boxes[i].some((a) => boxes[j].some((b) => {
        const { left, top, right, bottom } = both(a, b);
        return right - left > 2 && bottom - top > 4;
      }));
      if (over) found.push(`${name(one)} | ${name(other)}`);
    }
  });
  return found;
}"""

_WIDER = """() => ['html', '#main', 'main'].map((place) => document.querySelector(place))
  .filter((place) => place && place.scrollWidth > innerWidth)
  .map((place) => `${place.localName} is ${place.scrollWidth} px wide`)"""


def faults(page: Page) -> dict[str, list[str]]:
    """Return what is wrong with the boxes of what is shown, by kind."""
    kinds = {"wider than the window": _WIDER, "cut off": _CUT_OFF, "labels": _LABELS, "controls": _CONTROLS}
    found = {kind: page.evaluate(script) for kind, script in kinds.items()}
    return {kind: texts for kind, texts in found.items() if texts}
