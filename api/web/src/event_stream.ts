// Server-Sent Events of an answer to POST, which the browser's own EventSource cannot ask.

export interface Told {
  name: string;
  data: string;
}

// Yields complete events; comments are passed over.
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
  let [rest, name, data]: [string, string, string[]] = ["", "", []];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "" && data.length) yield { name, data: data.join("\n") };
        if (line === "") [name, data] = ["", []];
        else if (line.startsWith("event: ")) name = line.slice("event: ".length);
        else if (line.startsWith("data: ")) data.push(line.slice("data: ".length));
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the connection may be closed already
  }
}
