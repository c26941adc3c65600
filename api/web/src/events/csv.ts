// The filtered list as a file, written by the service.
import { body, request } from "../api";

export async function download(conditions: URLSearchParams, runId: string): Promise<void> {
  const answer = await request(`conjunctions?${conditions}`, { accept: "text/csv" });
  const address = URL.createObjectURL(await body(answer.blob()));
  const link = document.createElement("a");
  link.href = address;
  link.download = `skysieve-${runId}-events.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
