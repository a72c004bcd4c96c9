import type { Api } from "../http/api.ts";

/**
 * `/console`: the pages for people. Loaded when the first of them is asked for, by a promise of that request: its
 * sign-in alone is larger than the API.
 */
export function consolePages(app: Api): void {
  app.all("/console/*", async (c) => {
    const { serveConsole } = await import("./console/app.tsx");
    return serveConsole(c);
  });
}
