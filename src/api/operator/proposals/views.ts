import type { ProposalRow } from "../../../db/operator/proposals.ts";
import { isExpired } from "../../../domain/operators/proposal.ts";
import { maskPixKey } from "../../../domain/access/masks.ts";
import { PIX_KEY_TYPES } from "../../../domain/shared/pix-key.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import type { AppContext } from "../../../http/context.ts";
import { seesPayers } from "../payer-views.ts";

/** A proposal as an operator sees it: without the permission to see payers, a PIX key is masked. */
export function proposalView(c: AppContext, row: ProposalRow) {
  const { id, action, companyId, target, reason, evidence, provider, decisionReason } = row;
  const isOver = isExpired(row, c.get("deps").platformClock.now());
  const status = isOver ? ("expired" as const) : row.status;
  return {
    id,
    action,
    companyId,
    target,
    request: shownRequest(row.request, seesPayers(c)),
    reason,
    evidence,
    status,
    proposedBy: { id: row.proposedBy, name: row.proposedByName },
    proposedAt: isoTime(row.proposedAt),
    expiresAt: isoTime(row.expiresAt),
    decidedBy: row.decidedBy === null ? null : { id: row.decidedBy, name: row.decidedByName ?? "" },
    decidedAt: isoTimeOrNull(row.decidedAt),
    decisionReason,
    provider,
    withoutProvider: provider === "silent",
    providerSaid: row.providerAnswer,
    outcome: row.outcome,
  };
}

/** A secret is shown to nobody, sealed neither. */
function shownRequest(
  { sealedSecret: _secret, ...request }: Record<string, unknown>,
  showsPayers: boolean,
): Record<string, unknown> {
  if (showsPayers) return request;
  const { pixKey, pixKeyType } = request;
  const type = PIX_KEY_TYPES.find((known) => known === pixKeyType);
  if (typeof pixKey !== "string" || type === undefined) return request;
  return { ...request, pixKey: maskPixKey({ type, value: pixKey }) };
}
