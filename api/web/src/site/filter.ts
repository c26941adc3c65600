// Only those rows of a list that hold all words written above it.
export function filterRows(): void {
  const field = document.querySelector<HTMLInputElement>("#filter");
  const said = document.querySelector("#filtered");
  if (!field || !said) return;
  const rows = [...document.querySelectorAll<HTMLElement>(".events tbody tr")];
  const texts = rows.map((row) => (row.textContent ?? "").toLowerCase());
  field.closest("p")?.removeAttribute("hidden");
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    rows.forEach((row, place) => {
      row.hidden = !words.every((word) => texts[place]?.includes(word));
      if (!row.hidden) left += 1;
    });
    said.textContent = words.length ? `${left} of ${rows.length} rows` : "";
  };
  field.addEventListener("input", filter);
  filter(); // a browser that comes back has kept the text
}
