import { callCompany } from "../../../company-client/stub.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { timelineView, type ChargeCreation } from "../../../domain/charges/timeline.ts";
import type { Env } from "../../../config.ts";
import type { Caller } from "../../../http/context.ts";
import { visibleAttempts } from "../../events/mask.ts";
import { requireTransaction } from "../service.ts";
import { loadEventsAndAttempts } from "./repository.ts";
import { TIMELINE_MAX } from "./schemas.ts";

/**
 * All that happened about a transaction, oldest first; attempts, with what the merchant's server
 * answered, only where they may be seen. The object is asked before D1, whose copy may be behind:
 * causes, movements and events are the object's. Throws 404 and 403.
 */
export async function timelineOf(env: Env, caller: Caller, transactionId: string) {
  const { company, scopes } = caller;
  const row = await requireTransaction(env, company, transactionId);
  const history = await callCompany(env, company.id, (account) =>
    account.history({ transactionId: row.id, limit: TIMELINE_MAX }),
  );
  const visible = { attempts: scopes.has("webhooks:read") };
  const log = await loadEventsAndAttempts(env, row, visible);
  const eventsAndAttempts = { ...log, attempts: visibleAttempts(caller, log.attempts) };
  const timeline = timelineView(creationOf(row), history, eventsAndAttempts, TIMELINE_MAX);
  return { ...timeline, refundable: history.refundable ?? null };
}

/** A transaction's creation, as its timeline begins. */
export function creationOf(row: TransactionRow): ChargeCreation {
  const { companyId, amount, currency, paymentMethod, createdAt, expiresAt } = row;
  const { answeredAt: at, answeredStatus: status } = row;
  const refused = status === "refused" ? row.refusedReason : null;
  const reason = row.failure?.problem.detail ?? refused?.message ?? null;
  const answer = at === null || status === null ? null : { at, status, reason };
  return { companyId, amount, currency, paymentMethod, createdAt, expiresAt, answer };
}
