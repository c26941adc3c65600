// Catalogue numbers in pasted text: separated by anything, each once.
export function numbersIn(text: string): { numbers: number[]; strange: string[] } {
  const parts = text.split(/[\s,;|]+/).filter(Boolean);
  const good = parts.filter((part) => /^[0-9]{1,9}$/.test(part) && Number(part) > 0);
  const strange = parts.filter((part) => !good.includes(part));
  return { numbers: [...new Set(good.map(Number))], strange };
}
