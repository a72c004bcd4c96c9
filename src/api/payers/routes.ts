import { maskDocument } from "../../domain/access/masks.ts";
import type { Api } from "../../http/api.ts";
import { audited } from "../../http/audit.ts";
import { requireFurtherScopes, requireScope } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { takeQuota, takeReservedQuota } from "../settings/take-quota.ts";
import { payersByNewestCharge } from "./list-repository.ts";
import {
  ErasePayer,
  ExportPayer,
  parseCursor,
  PayerErasure,
  PayerExport,
  Payers,
  PayersQuery,
} from "./schemas.ts";
import { canonicalDocument, erasePayer, exportPayer } from "./service.ts";
import { listedPayer } from "./views.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { companyDeps } from "../../http/context.ts";

const route = routesOf("Payers");

const listRoute = route.get("/api/v1/payers", {
  operationId: "listPayers",
  summary: "List payers with what they paid and owe",
  description:
    "Those known by a document or `customer.id`, by their newest charge. A call reads a bounded number of rows, so a " +
    "page may be short while `hasMore` is true.",
  guard: requireScope("transactions:read"),
  query: PayersQuery,
  answers: { 200: jsonResponse("One page", Payers) },
  problems: ["VALIDATION_FAILED"],
});

const exportRoute = route.post("/api/v1/payers/export", {
  operationId: "exportPayer",
  summary: "Export what is stored of a payer",
  description:
    "LGPD, article 18. Charges with the payer's data as stored, their events and deliveries, then " +
    "subscriptions, then withdraws to the document, page by page: send `after` until `hasMore` is false. Each call is in the audit trail. Also needs " +
    "the scopes `transactions:read`, `withdraws:read` and `webhooks:read`.",
  guard: [
    requireScope("pii:read"),
    requireFurtherScopes("transactions:read", "withdraws:read", "webhooks:read"),
  ],
  body: jsonBody(ExportPayer),
  answers: { 200: jsonResponse("One page", PayerExport) },
  problems: ["QUOTA_EXCEEDED"],
});

const eraseRoute = route.post("/api/v1/payers/erase", {
  operationId: "erasePayer",
  summary: "Erase a payer's data",
  description:
    "LGPD, article 18. Irreversible. Replaces name, document, e-mail, phone, address, IP and the name on the card " +
    "in the payer's charges so far, their events and deliveries. Money, numbers, `externalRef`, `items` and " +
    "`metadata` stay. A charge that has not ended is erased after its end. A later charge of the same document " +
    "is one of a new payer. A subscription also loses its `metadata`: at once where it has ended, else as it ends.",
  guard: requireScope("settings:write"),
  body: jsonBody(ErasePayer),
  answers: { 200: jsonResponse("What was erased", PayerErasure) },
  problems: ["QUOTA_EXCEEDED"],
});

export { listRoute as listPayers, exportRoute as exportPayer, eraseRoute as erasePayer };

export function payerRoutes(app: Api): void {
  app.openapi(listRoute, async (c) => {
    const { after = null, limit } = c.req.valid("query");
    const { company } = c.get("caller");
    const now = companyDeps(c).clock.now();
    const found = await payersByNewestCharge(c.env, company.id, { after, limit }, now);
    const next = found.after === null ? null : String(found.after);
    return c.json(
      { items: found.items.map(listedPayer), after: next, hasMore: next !== null },
      200,
    );
  });

  app.openapi(exportRoute, async (c) => {
    const { company } = c.get("caller");
    const { document: sent, after, limit } = c.req.valid("json");
    const document = canonicalDocument(sent);
    const page = { cursor: parseCursor(after), limit };
    const entry = {
      companyId: company.id,
      action: "payer.export",
      target: targetOf(document),
      after: { from: after ?? null, limit },
    };
    await takeQuota(c, SMALL_WRITE_BYTES);
    const answer = await audited(c, entry, () => exportPayer(c.env, company, document, page));
    return c.json(answer, 200);
  });

  app.openapi(eraseRoute, async (c) => {
    const { company } = c.get("caller");
    const document = canonicalDocument(c.req.valid("json").document);
    const entry = { companyId: company.id, action: "payer.erase", target: targetOf(document) };
    const now = companyDeps(c).clock.now();
    await takeReservedQuota(c);
    const answer = await audited(c, entry, () => erasePayer(c.env, company, document, now));
    return c.json(answer, 200);
  });
}

/** The payer in the audit trail, where nothing is ever erased. */
function targetOf(document: string): string {
  return `payer:${maskDocument(document)}`;
}
