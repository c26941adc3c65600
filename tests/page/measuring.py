"""Boxes of a page, measured: what is cut off, which labels and which controls lie over each other."""

from playwright.sync_api import Page

# A text is in reach if what cuts it off can be scrolled, shows it whole to a pointer that rests (`title`), or leads to it.
_CUT_OFF = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const home = node.parentElement;
    if (!node.data.trim() || !home.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (home.closest('option, script, style, noscript, .visually-hidden, .skip, [aria-hidden=true]:not(svg *)')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    for (let place = home; place && place !== document.documentElement; place = place.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(place);
      const clip = place.getBoundingClientRect();
      const cut = (low, high) => boxes.some((box) => box[low] < clip[low] - 1.5 || box[high] > clip[high] + 1.5);
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
      .filter((x) => x.textContent.trim() && x.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((x) => [x.textContent, x.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
    texts.forEach(([one, a], i) => {
      for (const [other, b] of texts.slice(i + 1)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 3) found.push(`${one} | ${other}`); // boxes of lines are higher than their letters
      }
    });
  }
  return found;
}"""

_CONTROLS = """() => {
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
    .filter((x) => x.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !x.closest('.skip'));
  const boxes = controls.map((control) => {
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
    for (let place = control.parentElement; place; place = place.parentElement) {
      if (getComputedStyle(place).overflowY === 'visible') continue;
      const clip = place.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, clip.left), Math.max(top, clip.top), Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
    }
    return [...control.getClientRects()].map((box) => ({
      left: Math.max(left, box.left), top: Math.max(top, box.top), right: Math.min(right, box.right), bottom: Math.min(bottom, box.bottom),
    }));
  });
  const name = (x) => x.getAttribute('aria-label') ?? (x.textContent.trim() || x.id);
  const found = [];
  controls.forEach((one, i) => {
    for (let j = i + 1; j < controls.length; j += 1) {
      const other = controls[j];
      if (one.contains(other) || other.contains(one) || one.closest('.track')) continue; // events stand on the time bar
      const over = boxes[i].some((a) => boxes[j].some((b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4));
      if (over) found.push(`${name(one)} | ${name(other)}`);
    }
  });
  return found;
}"""

_WIDER = """() => ['html', '#main', 'main'].map((place) => document.querySelector(place))
  .filter((place) => place && place.scrollWidth > innerWidth).map((place) => `${place.localName} is ${place.scrollWidth} px wide`)"""


def faults(page: Page) -> dict[str, list[str]]:
    """Return what is wrong with the boxes of what is shown, by kind."""
    kinds = {"wider than the window": _WIDER, "cut off": _CUT_OFF, "labels": _LABELS, "controls": _CONTROLS}
    found = {kind: page.evaluate(script) for kind, script in kinds.items()}
    return {kind: texts for kind, texts in found.items() if texts}
