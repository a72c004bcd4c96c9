/** Lets work of a request end after its answer. Only the platform has the module: tests of pure code run without it. */
export async function inBackground(work: Promise<void>): Promise<void> {
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(work);
}
