import type { Mutant } from "../mutant.ts";

const ENFORCE = "src/http/rate-limits/enforce.ts";
const GUARD = "src/http/origin-guard.ts";
const LIMITS = ["test/worker/http/rate-limits/enforce.test.ts"];
const HEADERS = ["test/worker/http/headers.test.ts"];

/** Limits of requests, and where the service answers. */
export const limitMutants: Mutant[] = [
  {
    name: "limit-right-login-counted",
    file: ENFORCE,
    text: "if (c.res.status !== 401 ||",
    replacement: "if (c.res.status < 200 ||",
    tests: LIMITS,
  },
  {
    name: "limit-company-before-application",
    file: ENFORCE,
    text: 'await enforceRateLimit(c, "application", clientId);',
    replacement: 'await enforceRateLimit(c, "company", String(companyId));',
    tests: LIMITS,
  },
  {
    name: "limit-ipv6-address-alone",
    file: "src/http/client-address.ts",
    text: "const SUBSCRIBER_BITS = 64;",
    replacement: "const SUBSCRIBER_BITS = 128;",
    tests: LIMITS,
  },
  {
    name: "limit-spoofed-address-believed",
    file: "src/http/client-address.ts",
    text: 'c.req.header("CF-Connecting-IP") ?? ""',
    replacement: 'c.req.header("X-Forwarded-For") ?? c.req.header("CF-Connecting-IP") ?? ""',
    tests: LIMITS,
  },
  {
    name: "limit-missing-limiter-tolerated",
    file: "src/config.ts",
    text: 'variables.data.ENVIRONMENT === "local" ? [] : missingLimiters(env);',
    replacement: 'variables.data.ENVIRONMENT !== "production" ? [] : missingLimiters(env);',
    tests: ["test/unit/config.test.ts"],
  },
  {
    name: "origin-plain-http-served",
    file: GUARD,
    text: 'protocol !== "https:"',
    replacement: 'protocol === "ws:"',
    tests: HEADERS,
  },
  {
    name: "origin-rebound-host-served",
    file: GUARD,
    text: 'if (hostname === "localhost") return true;',
    replacement: 'if (hostname.startsWith("localhost")) return true;',
    tests: HEADERS,
  },
  {
    name: "stored-callbacks-of-a-company-without-a-ceiling",
    file: "src/db/reconciliation/callbacks.ts",
    text: "min(${most} - (${ofAccount}), ${company} - (${ofCompany}))",
    replacement: "${most} - (${ofAccount})",
    tests: ["test/worker/api/provider-callbacks/limits.test.ts"],
  },
];
