import type { z } from "@hono/zod-openapi";
import type { DecideContradiction, DecideContradictionAnswer } from "../../../company/rpc-types.ts";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import {
  listContradictions,
  listOperatorEvents,
} from "../../../db/reconciliation/contradictions.ts";
import { chargeTerms } from "../../../db/projection/transaction-mapper.ts";
import { contradictionId, type Decision } from "../../../domain/reconciliation/contradiction.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import type { Dependencies } from "../../../http/context.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { executeOperation, type OperationContext } from "../../transactions/operations.ts";
import { findTransaction } from "../../transactions/repository.ts";
import type { ContradictionsQuery, DecideRequest, EventsQuery } from "./schemas.ts";
import { contradictionView, operatorEventView } from "./views.ts";

const FROM_START = { companyId: 0, number: 0 };

/** A page of all companies' contradictions, by company and number. */
export async function pageOfContradictions(
  env: Env,
  query: z.output<typeof ContradictionsQuery> & { limit: number },
) {
  const { status = null, after = FROM_START, limit } = query;
  const rows = await listContradictions(env, { status, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  const items = page.map((row) => contradictionView(row.companyId, row));
  const next = last === undefined ? null : contradictionId(last.companyId, last.number);
  return { items, after: hasMore ? next : null, hasMore };
}

/** A page of all companies' operator events, by time. */
export async function pageOfOperatorEvents(
  env: Env,
  { after = { at: 0, ...FROM_START }, limit }: z.output<typeof EventsQuery> & { limit: number },
) {
  const rows = await listOperatorEvents(env, after, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last === undefined ? null : `${last.at}-${last.companyId}-${last.number}`;
  return { items: page.map(operatorEventView), after: next, hasMore: rows.length > limit };
}

/** A contradiction by its number, from the company's object. Throws 404. */
export async function getContradiction({ env, company }: OperationContext, number: number) {
  const found = await callCompany(env, company.id, (account) => account.findContradiction(number));
  if (found === null) throw notFound("contradiction");
  return contradictionView(company.id, found);
}

/**
 * Proposes a decision on a contradiction or, if another operator has proposed the same, decides it and sends a
 * decided return at once. Throws 404 without such a contradiction or charge, 409 if the decision is not
 * allowed.
 */
export async function decideContradiction(
  context: OperationContext & { deps: Dependencies },
  number: number,
  { request, by }: { request: DecideRequest; by: string },
) {
  const { env, deps, company } = context;
  const { id: companyId, credentialsVersion } = company;
  const decision: Decision = {
    action: request.action,
    amount: request.amount ?? null,
    transactionId: request.transactionId ?? null,
    reason: request.reason,
  };
  const command: DecideContradiction = {
    companyId,
    credentialsVersion,
    number,
    decision,
    by,
    terms: await requireChargeTerms(context, decision),
    operationId: newUuid(deps.random),
  };
  const answer = await callCompany(env, companyId, (account) =>
    account.decideContradiction(command),
  );
  const accepted = acceptedOrThrow(answer);
  if (accepted.kind === "decided" && accepted.claimed !== null) {
    await executeOperation(context, accepted.claimed, null);
  }
  return {
    contradiction: contradictionView(companyId, accepted.contradiction),
    isDecided: accepted.kind === "decided",
  };
}

async function requireChargeTerms({ env, company }: OperationContext, { transactionId }: Decision) {
  if (transactionId === null) return null;
  const row = await findTransaction(env, company.id, transactionId);
  if (row === null || row.companyId !== company.id) throw notFound("transaction");
  return chargeTerms(row);
}

type Accepted = Extract<DecideContradictionAnswer, { kind: "proposed" | "decided" }>;

function acceptedOrThrow(answer: DecideContradictionAnswer): Accepted {
  switch (answer.kind) {
    case "proposed":
    case "decided":
      return answer;
    case "version_conflict":
      throw new StaleVersionError(answer.newest);
    case "not_found":
      throw notFound("contradiction");
    case "own_proposal":
      throw conflict(
        "The operator who proposed a decision cannot approve it: another operator must approve it.",
      );
    case "decided_before":
      throw conflict("The contradiction is already decided. A decision is final.");
    case "action_not_allowed":
      throw conflict(
        `A contradiction of this kind allows only these actions: ${answer.allowed.join(", ")}.`,
      );
    case "not_possible":
      throw invalidState(answer.reason);
  }
}

function conflict(detail: string): Problem {
  return new Problem({ code: "INVALID_STATE", detail });
}
