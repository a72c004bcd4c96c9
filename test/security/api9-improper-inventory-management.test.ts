import { expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { call } from "../support/builders/requests/api.ts";
import { openApi } from "../support/probes/http/documented.ts";
import { operationsOf } from "../support/probes/http/operations.ts";

/** Routes that are no part of the API, each with its reason. */
const PAGES: Record<string, string> = {
  "GET /openapi.json": "the document itself",
  "GET /": "what this address is, for browsers and machines",
  "GET /openapi/merchant.json": "the document for who charges",
  "GET /openapi/operator.json": "the document for who runs the gateway",
  "GET /docs/*": "the docs site and the references, for browsers",
  "GET /llms.txt": "the docs site's index, for programs",
  "GET /reminders/stop/:secureId": "where a payer ends the reminders of a shop",
  "POST /reminders/stop/:secureId": "ends them, by one click (RFC 8058)",
  "GET /boletos/:file": "a boleto's slip as PDF, for payers",
  "GET /boletos/:secureId": "a boleto's slip, for payers",
  "GET /checkout/*": "a charge, for payers",
  "POST /checkout/:secureId/renew": "a payer who is still on the page of a link's charge",
  "GET /checkout.js": "what opens a charge on a merchant's page",
  "GET /a/:secureId":
    "where a payer approves a subscription; leads to a withdraw that waits, behind the sign-in",
  "GET /a/:secureId/status": "by which that page, and the payer's own, see a change",
  "GET /s/:secureId": "a subscription, for its payer",
  "GET /s/:secureId/cancel": "the question before its payer cancels it",
  "POST /s/:secureId/cancel": "its payer cancels it",
  "GET /l/:slug": "a payment link, for payers",
  "POST /l/:slug": "what that page's form sends",
  "GET /r/*": "a receipt, for whoever has its link",
  "GET /receipts/verify": "the page that checks a receipt",
  "POST /receipts/check": "what that page's form sends",
};

/** What other software leaves open. */
const LEFTOVERS = [
  "/.env",
  "/.git/config",
  "/actuator/env",
  "/admin",
  "/api",
  "/api/debug",
  "/api/v0/transactions",
  "/api/v2/transactions",
  "/api/internal/companies",
  "/debug/vars",
  "/graphql",
  "/phpinfo.php",
  "/server-status",
  "/swagger.json",
  "/wrangler.toml",
  "/docs/package.json",
  "/policy.txt",
  "/sections.json",
  "/docs/..%2fpackage.json",
  "/test",
  "/v1/transactions",
];

const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/(?<=:\w+)\{[^}]+\}/g, "")}`;

it("every route of the app is in the OpenAPI document or a page with a reason", async () => {
  const documented = operationsOf(await openApi()).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
  );
  const routes = createApp()
    .routes.filter(({ method }) => method !== "ALL")
    .map(nameOf);
  expect([...new Set(routes)].toSorted()).toEqual(
    [...documented, ...Object.keys(PAGES)].toSorted(),
  );
});

it("no operation is deprecated, and each is of the one version of its path", async () => {
  const { paths } = await openApi();
  for (const [path, item] of Object.entries<any>(paths)) {
    for (const operation of Object.values<any>(item)) expect(operation.deprecated).toBeUndefined();
    expect(path).toMatch(
      /^\/(?:api\/(?:v1\/|[A-Z]|checkout\/)|callbacks\/|receipts\/|\.well-known\/|(?:health|ready|metrics)$)/,
    );
  }
});

it.each(LEFTOVERS)("%s does not exist", async (path) => {
  const { status, body, headers } = await call(path);
  expect(status).toBe(404);
  expect(headers.get("Content-Type")).toBe("application/problem+json");
  expect(body.code).toBe("NOT_FOUND");
  expect(body.detail).toMatch(/^No resource exists at this path\./);
});
