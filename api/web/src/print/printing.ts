// Makes the page ready for paper, and undoes it: light colours, and the width of a sheet before the pictures on canvas
// are drawn for it. Chromium, Firefox and Safari tell before they print and after.
import "./print.css";

const SHEET = "printing"; // the class of the root element meanwhile; print.css has its rules

export function followPrinting(): void {
  const root = document.documentElement;
  let theme: string | undefined;
  window.addEventListener("beforeprint", () => {
    theme ??= root.dataset.theme;
    root.dataset.theme = "light";
    root.classList.add(SHEET);
    redraw();
  });
  window.addEventListener("afterprint", () => {
    if (theme) root.dataset.theme = theme;
    theme = undefined;
    root.classList.remove(SHEET);
    redraw();
  });
}

// What is drawn with the colours of the theme is drawn again, with the width it has now.
const redraw = (): boolean => window.dispatchEvent(new Event("skysieve:theme"));
