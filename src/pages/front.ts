import type { Api } from "../http/api.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/** `/`: what this address is and where everything is, a page for people and JSON for machines. `/docs/errors`. */
export function frontPage(app: Api): void {
  for (const path of ["/", "/docs/errors"]) {
    app.get(path, limitPublicRoute, async (c) => {
      const { serveFront } = await import("./front/app.tsx");
      return serveFront(c);
    });
  }
}
