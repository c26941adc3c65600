// Makes the page ready for paper, and undoes it: light colours, and the width of a sheet before the pictures on canvas
// are drawn for it. Chromium, Firefox and Safari tell before they print and after.
import "./print.css";

const SHEET = "printing"; // the class of the root element meanwhile; print.css has its rules
const foot = new CSSStyleSheet(); // what each sheet says of itself, beside its number
document.adoptedStyleSheets.push(foot);

export function followPrinting(): void {
  const root = document.documentElement;
  let theme: string | undefined;
  window.addEventListener("beforeprint", () => {
    theme ??= root.dataset.theme;
    root.dataset.theme = "light";
    root.classList.add(SHEET);
    const printed = `${document.title} · printed ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
    foot.replaceSync(`@page { @bottom-left { content: ${JSON.stringify(printed)}; font: 8pt sans-serif; white-space: nowrap; } }`);
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
