import { getDispute } from "../../../../api/disputes/routes.ts";
import { sendDisputeResponse } from "../../../../api/disputes/response/routes.ts";
import { refundTransaction } from "../../../../api/transactions/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { formOf, keyOf, refusalPage } from "../answers.tsx";
import { RefundInstead } from "./bank.tsx";
import { detailPage, headOf } from "./detail-page.tsx";
import { disputePath, isRefundable, type Dispute } from "./dispute.ts";

const REFUNDS = [
  requireMember,
  requirePermission("refunds:write"),
  requireFreshSecondFactor,
] as const;

/** What is sent to the bank of a dispute: the dossier, or the money in its place. */
export function disputeBankRoutes(app: ConsoleApp): void {
  app.post("/disputes/:id/response", requireMember, requirePermission("disputes:write"), (c) =>
    withDispute(c, sendDossier),
  );
  app.get("/disputes/:id/response", requireMember, requirePermission("transactions:read"), (c) =>
    c.redirect(disputePath(c.req.param("id"))),
  );
  app.get("/disputes/:id/refund", ...REFUNDS, (c) => withDispute(c, confirmRefund));
  app.post("/disputes/:id/refund", ...REFUNDS, (c) => withDispute(c, refundInstead));
}

async function withDispute(
  c: ConsoleContext,
  show: (c: ConsoleContext, dispute: Dispute) => Promise<Response>,
): Promise<Response> {
  const found = await callRoute(c, getDispute, { params: { id: c.req.param("id") ?? "" } });
  return found.ok ? show(c, found.body.data) : refusalPage(c, headOf(c), found);
}

async function sendDossier(c: ConsoleContext, dispute: Dispute): Promise<Response> {
  const { id } = dispute;
  const key = keyOf(await formOf(c));
  const answer = await callRoute(c, sendDisputeResponse, { params: { id }, ...key });
  if (answer.ok) return c.redirect(`${disputePath(id)}?done=response`, 303);
  return detailPage(c, dispute, { refused: { problem: answer.body, status: answer.status } });
}

async function confirmRefund(c: ConsoleContext, dispute: Dispute): Promise<Response> {
  if (!isRefundable(dispute)) {
    return c.redirect(disputePath(dispute.id));
  }
  return page(
    c,
    { ...headOf(c), title: textsOf(c).disputes.bank.refundTitle },
    <RefundInstead dispute={dispute} idempotencyKey={crypto.randomUUID()} />,
  );
}

async function refundInstead(c: ConsoleContext, dispute: Dispute): Promise<Response> {
  const { id, transactionId, amount } = dispute;
  if (transactionId === null) return c.redirect(disputePath(id));
  const answer = await callRoute(c, refundTransaction, {
    params: { id: transactionId },
    json: { amount, insteadOf: id },
    ...keyOf(await formOf(c)),
  });
  if (answer.ok) return c.redirect(`${disputePath(id)}?done=refund`, 303);
  return detailPage(c, dispute, { refused: { problem: answer.body, status: answer.status } });
}
