import { z } from "@hono/zod-openapi";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { Api } from "../../http/api.ts";
import { audited } from "../../http/audit.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { jsonBody } from "../../http/body.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { takeQuota } from "../settings/take-quota.ts";
import { dossierRoute } from "./dossier/routes.ts";
import { responseRoute } from "./response/routes.ts";
import { disputeFileRoutes } from "./files/routes.ts";
import { DisputeEnvelope, Disputes, DisputesQuery, EvidenceBody } from "./schemas.ts";
import {
  pageOfDisputes,
  requireDispute,
  requireKnownDispute,
  shownDispute,
  submitEvidence,
} from "./service.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { companyDeps } from "../../http/context.ts";

const route = routesOf("Disputes");
const params = z.object({
  id: z.string().openapi({ example: "E00000000202611211201a1b2c3d4e5f:D1" }),
});

const list = route.get("/api/v1/disputes", {
  operationId: "listDisputes",
  summary: "List the company's disputes",
  description:
    "Newest first: disputes (PIX: MED) and chargebacks, of transactions and of payments that nobody " +
    "expected. One that was decided before its first report is there with its end.",
  guard: requireScope("transactions:read"),
  query: DisputesQuery,
  answers: { 200: jsonResponse("One page", Disputes) },
  problems: ["VALIDATION_FAILED"],
});

const detail = route.get("/api/v1/disputes/{id}", {
  operationId: "getDispute",
  summary: "Get a dispute",
  description: "By the provider's id, which `dispute.id` of its transaction shows, URL-encoded.",
  guard: requireScope("transactions:read"),
  params,
  answers: { 200: jsonResponse("The dispute", DisputeEnvelope) },
  problems: ["NOT_FOUND"],
});

const evidence = route.post("/api/v1/disputes/{id}/evidence", {
  operationId: "submitDisputeEvidence",
  summary: "Submit evidence against a dispute",
  description:
    "While the dispute is open and until its deadline. BACEN's API takes no evidence: it is kept, it is " +
    "in the dossier, and the gateway's operators are told, who forward it to the PSP.",
  guard: requireScope("disputes:write"),
  params,
  body: jsonBody(EvidenceBody),
  idempotencyKey: optionalIdempotencyKey("evidence_01JD8ZC3"),
  answers: { 200: jsonResponse("The dispute with its evidence", DisputeEnvelope) },
  problems: [
    "NOT_FOUND",
    "INVALID_STATE",
    "EVIDENCE_DEADLINE_PASSED",
    "EVIDENCE_TOO_LARGE",
    "QUOTA_EXCEEDED",
  ],
});

export { list as listDisputes, detail as getDispute, evidence as submitDisputeEvidence };

/** `/api/v1/disputes`: what payers' banks ask back, and what the merchant says to it. */
export function disputeRoutes(app: Api): void {
  app.openapi(list, async (c) =>
    c.json(await pageOfDisputes(c.env, c.get("caller"), c.req.valid("query")), 200),
  );

  app.openapi(detail, async (c) => {
    const caller = c.get("caller");
    const dispute = await requireDispute(c.env, caller.company.id, c.req.valid("param").id);
    return c.json({ data: await shownDispute(c.env, caller, dispute) }, 200);
  });

  app.openapi(evidence, async (c) => {
    const { id: disputeId } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    const change = c.req.valid("json");
    await requireKnownDispute(c.env, companyId, disputeId);
    await takeQuota(c, SMALL_WRITE_BYTES);
    const action = {
      companyId,
      action: "dispute.evidence",
      target: `dispute:${disputeId}`,
      after: { fields: Object.keys(change).toSorted() },
    };
    const request = { disputeId, change, idempotencyKey: c.get("idempotencyKey") };
    const { dispute, replayed } = await audited(c, action, () =>
      writeOptimistically(c, (caller) =>
        submitEvidence(c.env, caller, request, companyDeps(c).clock.now()),
      ),
    );
    if (replayed) c.header(REPLAYED_HEADER, "true");
    return c.json({ data: await shownDispute(c.env, c.get("caller"), dispute) }, 200);
  });

  disputeFileRoutes(app);
  dossierRoute(app);
  responseRoute(app);
}
