import { describe, expect, it } from "vitest";
import { givenMember } from "../../support/builders/console/members.ts";
import { call } from "../../support/builders/requests/api.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import {
  callAsOperator,
  givenOperator,
  OPERATOR_CREDENTIALS,
} from "../../support/builders/companies/operator.ts";
import { pagarmeAccount } from "../../support/builders/providers/accounts.ts";
import { pixApiRequest } from "../../support/builders/providers/psp.ts";
import { OPERATOR_ROUTES } from "../../support/probes/http/operator-routes.ts";
import { ROUTE_PERMISSIONS } from "../../support/probes/http/route-permissions.ts";

/** Merchants' routes for settings, keys, endpoints, allowed keys, approvals and payers' data. */
const AUDITED = new RegExp(
  "^(POST|PUT|PATCH|DELETE) /api/v1/(company/|sandbox/settings|webhooks/(endpoint|secret)|applications|payers|withdraws/:id/)",
);
/** Routes of these paths that change nothing, with the reason. */
const NOT_AUDITED = new Set([
  // Tries a policy on the past.
  "POST /api/v1/company/withdraw-policy/backtest",
  // Repairs only what differs, which audit.test.ts shows.
  "POST /api/v1/operator/companies/:companyId/reconcile",
]);
/** Bodies that reach further than the ones for permissions. */
const BODIES: Record<string, object> = {
  "PUT /api/v1/operator/companies/:companyId/providers/pix-api": pixApiRequest({
    certificate: undefined,
  }),
  "PUT /api/v1/operator/companies/:companyId/providers/:account": pagarmeAccount(),
};

const isMutation = (name: string) => !name.startsWith("GET ");
const isAudited = (name: string) => isMutation(name) && !NOT_AUDITED.has(name);
const operatorRoutes = Object.entries(OPERATOR_ROUTES).filter(([name]) => isAudited(name));
const merchantRoutes = Object.entries(ROUTE_PERMISSIONS).filter(
  ([name]) => AUDITED.test(name) && isAudited(name),
);

async function entries(companyId: number): Promise<number> {
  const rows = env.DB.prepare("SELECT count(*) AS n FROM audit_entries WHERE company_id = ?");
  return (await rows.bind(companyId).first<number>("n")) ?? 0;
}

/** The path with ids of things that exist where the route needs them. */
async function pathOf(company: TestCompany, path: string): Promise<string> {
  const ids = await idsOf(company, path);
  return path
    .replace(":companyId", String(company.id))
    .replace(":id", ids.id)
    .replace(/:\w+/, ids.key);
}

async function idsOf(company: TestCompany, path: string): Promise<{ id: string; key: string }> {
  if (path.includes("/v1/people/:id")) {
    return { id: (await givenMember(company, "viewer")).id, key: "1" };
  }
  if (path.includes("/webhooks/endpoints/:id")) {
    const body = { url: "https://loja.example.com/erp", events: ["*"] };
    const { data } = (await call("/api/v1/webhooks/endpoints", { company, body })).body;
    return { id: data.id, key: "1" };
  }
  if (path.includes("/invitations/:id")) {
    const body = { email: "ana@example.com", role: "viewer" };
    const { data } = (await call("/api/v1/people/invitations", { company, body })).body;
    return { id: data.id, key: "1" };
  }
  if (path.includes("/operator/people/:id")) {
    const { clientId } = await givenOperator("read");
    return { id: clientId, key: await keyOf("operator_keys", clientId) };
  }
  if (path.includes("/proposals/:id")) {
    const freeze = `/companies/${company.id}/freeze`;
    await callAsOperator(freeze, { body: { reason: "A key was stolen." } });
    const { data } = (await callAsOperator(freeze, { method: "DELETE" })).body;
    return { id: data.id, key: "1" };
  }
  if (path.includes("/settings/pending/:field")) {
    for (const withdrawDailyLimit of [5_000, null]) {
      await call("/api/v1/company/settings", {
        company,
        method: "PUT",
        body: { withdrawDailyLimit },
      });
    }
    return { id: "1", key: "withdrawDailyLimit" };
  }
  const key = await keyOf("api_keys", company.clientId);
  if (path.includes("/applications/:id")) {
    const body = { name: "ERP", scopes: ["balance:read"] };
    const { data } = (await call("/api/v1/applications", { company, body })).body;
    await call(`/api/v1/applications/${data.id}/keys`, { company, method: "POST" });
    return { id: data.id, key: await keyOf("api_keys", data.id) };
  }
  if (path.includes("/keys/:keyId")) return { id: "1", key };
  return { id: path.includes("/contradictions/") ? `${company.id}-1` : "1", key: "1" };
}

function close({ id }: TestCompany) {
  return callAsOperator(`/companies/${id}/close`, { body: { reason: "To open it again." } });
}

async function keyOf(table: "api_keys" | "operator_keys", clientId: string): Promise<string> {
  const keys = env.DB.prepare(`SELECT id FROM ${table} WHERE client_id = ?`);
  return String(await keys.bind(clientId).first("id"));
}

describe.each(operatorRoutes)("%s", (name, { body }) => {
  it("leaves an entry in the gateway's trail", async () => {
    const company = await givenCompany();
    const [method = "", path = ""] = name.split(" ");
    const target = await pathOf(company, path);
    if (path.endsWith("/reopen")) await close(company);
    const before = await entries(0);
    const sent = BODIES[name] ?? body;
    const answer = await call(target, {
      method,
      company: { credentials: OPERATOR_CREDENTIALS },
      ...(sent === undefined ? {} : { body: sent }),
    });
    expect([400, 401, 403]).not.toContain(answer.status);
    expect(await entries(0), `${answer.status} ${answer.text}`).toBeGreaterThan(before);
  });
});

describe.each(merchantRoutes)("%s", (name, { body }) => {
  it("leaves an entry in the company's trail", async () => {
    const company = await givenCompany();
    const [method = "", path = ""] = name.split(" ");
    const target = await pathOf(company, path);
    const before = await entries(company.id);
    const answer = await call(target, {
      method,
      company,
      ...(body === undefined ? {} : { body }),
    });
    expect([400, 401, 403]).not.toContain(answer.status);
    expect(await entries(company.id), `${answer.status} ${answer.text}`).toBeGreaterThan(before);
  });
});
