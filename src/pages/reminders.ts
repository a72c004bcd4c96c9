import type { Api } from "../http/api.ts";
import { documentBody } from "../http/body.ts";
import type { AppContext } from "../http/context.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/** `/reminders/stop/{secureId}`. Loaded when it is asked for, as the checkout is. */
export function reminderPages(app: Api): void {
  app.get("/reminders/stop/:secureId", limitPublicRoute, serve);
  app.post("/reminders/stop/:secureId", limitPublicRoute, documentBody, serve);
}

async function serve(c: AppContext): Promise<Response> {
  const { serveReminders } = await import("./reminders/app.tsx");
  return serveReminders(c);
}
