import { companyStub } from "../../../../company-client/stub.ts";
import { LIVE_SCOPES, type LiveAudience } from "../../../../domain/events/live.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireCashier } from "../../people/counter/require-cashier.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { isFromHere } from "../../posts.ts";
import { forbiddenPage } from "../../ui/error-pages.tsx";
import { may } from "../answers.tsx";

/** A session that was ended hears nothing after this; an open page asks again before. */
const AUDIENCE_MS = 5 * 60_000;

/** The stream of changes of the company that the person chose, as a WebSocket (RFC 6455). */
export function liveScreen(app: ConsoleApp): void {
  app.get("/live", requireMember, (c) => openLive(c));
  // A shared counter opens nothing outside of it. A cashier hears that something changed, and not what.
  app.get("/cashier/live", requireCashier, requirePermission("cashier:write"), (c) => openLive(c));
}

async function openLive(c: ConsoleContext): Promise<Response> {
  if (c.req.header("Upgrade")?.toLowerCase() !== "websocket") {
    return c.text("", 426, { Upgrade: "websocket" });
  }
  // No browser lets a script of another site read it, but each lets it connect with the person's cookies.
  if (!isFromHere(c)) return forbiddenPage(c);
  const audience: LiveAudience = {
    scopes: LIVE_SCOPES.filter((scope) => may(c, scope)),
    until: Date.now() + AUDIENCE_MS,
  };
  const address = new URL("/live", c.req.url);
  address.searchParams.set("audience", JSON.stringify(audience));
  return companyStub(c.env.outer.env, c.get("person").companyId).fetch(address, {
    headers: { Upgrade: "websocket" },
  });
}
