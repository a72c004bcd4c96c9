import { statSync } from "node:fs";
import type { Page } from "playwright-core";

/** A small phone. */
export const NARROW = { width: 360, height: 740 };
/** A repository is no album. */
const MAX_BYTES = 120_000;

/** Writes a picture of the page's window for the documentation. Throws if the file is large. */
export async function takePicture(page: Page, path: string): Promise<void> {
  await page.screenshot({ path, scale: "css", animations: "disabled" });
  if (statSync(path).size > MAX_BYTES) throw new Error(`${path} has over ${MAX_BYTES} bytes`);
  console.log(path);
}
