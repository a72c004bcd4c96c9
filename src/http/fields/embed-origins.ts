import { createMiddleware } from "hono/factory";
import { configOf } from "../../config.ts";
import type { AppEnv } from "../context.ts";
import { addFieldErrors } from "../validation.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Host names only: a wildcard would frame for strangers, and a policy's separators would end its directive. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
/** Loopback as a policy can name it: it knows no IPv6 addresses (CSP 3, 2.3.1). */
const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1"]);

/**
 * Why the pages of an origin may not frame the checkout; null when they may. An origin is https, a host name and
 * perhaps a port, without wildcard. Local development may also allow http to loopback.
 */
function embedOriginError(origin: string, allowHttpLoopback: boolean): string | null {
  const parsed = URL.parse(origin);
  if (parsed?.origin !== origin.toLowerCase()) {
    return breaks("origin");
  }
  const { protocol, hostname } = parsed;
  if (allowHttpLoopback && protocol === "http:" && LOOPBACK_HOSTS.has(hostname)) return null;
  if (protocol !== "https:") return breaks("https");
  return HOST.test(hostname) ? null : breaks("hostName");
}

/**
 * Checks a body's `embedOrigins`, whose rule depends on the environment, so a schema cannot. Must follow
 * `jsonBody`.
 */
export const embedOriginsField = createMiddleware<AppEnv>(async (c, next) => {
  const { embedOrigins }: { embedOrigins?: unknown } = await c.req.json();
  const { allowHttpLoopbackWebhooks } = configOf(c.env);
  for (const [at, origin] of Array.isArray(embedOrigins) ? embedOrigins.entries() : []) {
    if (typeof origin !== "string") continue;
    const message = embedOriginError(origin, allowHttpLoopbackWebhooks);
    if (message === null) continue;
    addFieldErrors(c, [{ code: "custom", path: ["embedOrigins", at], message, input: origin }]);
  }
  await next();
});
