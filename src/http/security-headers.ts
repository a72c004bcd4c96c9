import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { configOf } from "../config.ts";
import type { AppEnv } from "./context.ts";

/** Two years and all subdomains, which browsers' preload lists demand. */
const STRICT_TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains";

/** For answers that a browser should neither render nor embed. A page sets its own policy. */
const setHeaders = (strictTransportSecurity: string | false) =>
  secureHeaders({
    overwrite: false,
    strictTransportSecurity,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    xFrameOptions: "DENY",
    // Their browsers are gone, or the policies above say the same.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });

const setDeployedHeaders = setHeaders(STRICT_TRANSPORT_SECURITY);
const setLocalHeaders = setHeaders(false);

/**
 * The security headers of every answer, also of errors (OWASP Secure Headers). An answer that does not say how
 * it may be cached is not: most carry a company's data.
 */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  const isLocal = configOf(c.env).environment === "local";
  await (isLocal ? setLocalHeaders : setDeployedHeaders)(c, next);
  if (mayBeFramed(c.res.headers)) c.res.headers.delete("X-Frame-Options");
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
});

/** A page that names who may frame it: `X-Frame-Options` cannot name them, and would forbid it in old browsers. */
function mayBeFramed(headers: Headers): boolean {
  return /frame-ancestors http/.test(headers.get("Content-Security-Policy") ?? "");
}
