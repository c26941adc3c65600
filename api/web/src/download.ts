// What the service writes, saved as a file.
import { body, request } from "./api";

export async function download(path: string, accept: string, name: string): Promise<void> {
  const answer = await request(path, { accept });
  const address = URL.createObjectURL(await body(answer.blob()));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
