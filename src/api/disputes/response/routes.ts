import { z } from "@hono/zod-openapi";
import { visibleDispute } from "../../../domain/access/payer-masks.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { writeOptimistically } from "../../../http/auth/optimistic-auth.ts";
import { NO_FIELDS } from "../../../http/body.ts";
import { companyDeps } from "../../../http/context.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../../http/idempotency.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { DisputeEnvelope } from "../schemas.ts";
import { requireDispute, requireKnownDispute } from "../service.ts";
import { answeredDisputeView } from "../views.ts";
import { sendResponse } from "./service.ts";

const route = routesOf("Disputes");

const send = route.post("/api/v1/disputes/{id}/response", {
  operationId: "sendDisputeResponse",
  summary: "Send the dossier to the bank",
  description:
    "Of an open dispute, until its deadline, where the bank that took the payment takes dossiers by API: the sandbox's " +
    "does, and Efí, which gets it as a text. Files are not sent: the dossier names them. One at a time; a further one " +
    "only where the bank takes it. 202 while the bank has not answered: it is asked until it has, and `response` says " +
    "what it says.",
  guard: requireScope("disputes:write"),
  params: z.object({
    id: z.string().openapi({ example: "E00000000202611211201a1b2c3d4e5f:D1" }),
  }),
  body: NO_FIELDS,
  idempotencyKey: optionalIdempotencyKey("response_01JD8ZC3"),
  answers: {
    200: jsonResponse("The dispute, with what the bank says", DisputeEnvelope),
    202: jsonResponse("The bank has not answered yet", DisputeEnvelope),
  },
  problems: [
    "NOT_FOUND",
    "INVALID_STATE",
    "EVIDENCE_DEADLINE_PASSED",
    "NOT_SUPPORTED_BY_PROVIDER",
    "PROVIDER_DISCONNECTED",
    "QUOTA_EXCEEDED",
  ],
});

export { send as sendDisputeResponse };

/** What is sent to the bank of a dispute. */
export function responseRoute(app: Api): void {
  app.openapi(send, async (c) => {
    const { id: disputeId } = c.req.valid("param");
    const { id: companyId } = c.get("caller").company;
    await requireKnownDispute(c.env, companyId, disputeId);
    await takeQuota(c, SMALL_WRITE_BYTES);
    const action = { companyId, action: "dispute.response", target: `dispute:${disputeId}` };
    const request = { disputeId, idempotencyKey: c.get("idempotencyKey") };
    const { response, replayed } = await audited(c, action, () =>
      writeOptimistically(c, (caller) =>
        sendResponse(
          { env: c.env, deps: companyDeps(c), company: caller.company, caller },
          request,
        ),
      ),
    );
    if (replayed) c.header(REPLAYED_HEADER, "true");
    const dispute = await requireDispute(c.env, companyId, disputeId);
    const shown = visibleDispute(c.get("caller").scopes, dispute);
    const status = response.status === "sending" ? 202 : 200;
    return c.json({ data: answeredDisputeView(shown, response) }, status);
  });
}
