import type { Api } from "../http/api.ts";
import { documentBody } from "../http/body.ts";
import type { AppContext } from "../http/context.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/** `/r/{id}` and the page that checks a receipt. Loaded when the first of them is asked for, as the checkout is. */
export function receiptPages(app: Api): void {
  app.get("/r/*", limitPublicRoute, serve);
  app.get("/receipts/verify", limitPublicRoute, serve);
  app.post("/receipts/check", limitPublicRoute, documentBody, serve);
}

async function serve(c: AppContext): Promise<Response> {
  const { serveReceipts } = await import("./receipts/app.ts");
  return serveReceipts(c);
}
