import { Zip, ZipDeflate } from "fflate";

/** A file of an archive, made when it is its turn. */
export interface ZippedFile {
  name: string;
  parts: () => AsyncIterable<string | Uint8Array>;
}

/** An archive (ZIP) of files, one after the other: memory holds a part of one. `nowMs`: when they were made. */
export async function* zipOf(
  files: AsyncIterable<ZippedFile>,
  nowMs: number,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  for await (const { name, parts } of files) {
    const file = new ZipDeflate(name);
    file.mtime = nowMs;
    zip.add(file);
    for await (const part of parts()) {
      file.push(typeof part === "string" ? encoder.encode(part) : part);
      yield* ready.splice(0);
    }
    file.push(new Uint8Array(), true);
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready.splice(0);
}
