import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What Miniflare serves of a folder with a bundled Worker: the code, which must be the first, and its style sheets. */
export function bundleModules(folder: string) {
  const sheets = readdirSync(folder).filter((name) => name.endsWith(".css"));
  return {
    modulesRoot: folder,
    modules: [
      { type: "ESModule" as const, path: join(folder, "index.js") },
      ...sheets.map((name) => ({ type: "Text" as const, path: join(folder, name) })),
    ],
  };
}
