import { createMiddleware } from "hono/factory";
import ipaddr from "ipaddr.js";
import { configOf } from "../config.ts";
import { Problem } from "../domain/shared/problem.ts";
import type { AppEnv } from "./context.ts";

/**
 * Refuses plain http when deployed, without a redirect: a client that follows one sends its key in the clear
 * each time. Refuses hosts other than loopback in local development: a web page whose name resolves to this
 * machine (DNS rebinding) could use the local keys, which everybody knows. Throws 403.
 */
export const originGuard = createMiddleware<AppEnv>(async (c, next) => {
  const { protocol, hostname } = new URL(c.req.url);
  if (configOf(c.env).environment === "local") {
    if (!isLoopback(hostname)) {
      throw new Problem({
        code: "HOST_NOT_ALLOWED",
        detail: "A local service answers only under localhost and loopback addresses.",
      });
    }
  } else if (protocol !== "https:") {
    throw new Problem({
      code: "HTTPS_REQUIRED",
      detail:
        "This service is reached by https only. An API key that was sent by http must be replaced.",
    });
  }
  await next();
});

/** `hostname` as in a URL, with brackets around IPv6. */
function isLoopback(hostname: string): boolean {
  if (hostname === "localhost") return true;
  const address = hostname.replaceAll(/[[\]]/g, "");
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
