import type { Api } from "../http/api.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/** `/`: what this address is and where everything is, a page for people and JSON for machines. */
export function frontPage(app: Api): void {
  app.get("/", limitPublicRoute, async (c) => {
    const { serveFront } = await import("./front/app.tsx");
    return serveFront(c);
  });
}
