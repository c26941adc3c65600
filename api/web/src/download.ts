// What the service writes or the page draws, saved as a file.
import { body, request } from "./api";

export async function download(path: string, accept: string, name: string): Promise<void> {
  const answer = await request(path, { accept });
  save(await body(answer.blob()), name);
}

export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
