import { z } from "@hono/zod-openapi";
import type {
  DecideByOperatorsAnswer,
  OperatorEffect,
} from "../../../company/operators/command-types.ts";
import { callCompany } from "../../../company-client/stub.ts";
import type { OperatorPermission } from "../../../domain/operators/operator.ts";
import type { OperatorDecision, ProviderAnswer } from "../../../domain/operators/proposal.ts";
import type { AuditValues } from "../../../domain/access/audit-entry.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Dependencies } from "../../../http/context.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { executeOperation, type OperationContext } from "../../transactions/operations.ts";
import { breaks } from "../../../lib/fields/rules.ts";

export type ProposalContext = OperationContext & { deps: Dependencies };

/** A provider's word on a decision. `disagrees`: it says something else, in its own words. */
export type ProviderVerdict =
  | ProviderAnswer
  | { word: "disagrees"; provider: string; says: string; thing: string };

/** The word of a provider that could be asked. */
export type FinalWord = Exclude<ProviderVerdict["word"], "not_asked">;

/** A proposed decision whose target and request are valid. */
export interface PreparedAction {
  /** What is stored and executed. */
  request: Record<string, unknown>;
  /** What the trail shows of it, without personal data. */
  audited: AuditValues;
  /** Whether a stored request asks for the same; by default one that is equal. */
  isSameAs?(stored: Record<string, unknown>): Promise<boolean>;
  /** Throws 404 or 409 if it cannot be decided like this. */
  check(): Promise<void>;
  /** Asks the provider, which is told nothing. */
  ask(): Promise<ProviderVerdict>;
  /** Whether it had its effect; by default the company's object knows, which stores each decision that it books. */
  hadEffect?(): Promise<boolean>;
  /**
   * Has its effect, once for each proposal, and tells what became of it. Throws a `Problem` only while it had none.
   */
  execute(decision: OperatorDecision): Promise<Record<string, unknown>>;
}

/** An action that two operators decide. */
export interface ActionDefinition {
  /** Of both operators. */
  permission: OperatorPermission;
  /** The action of the trail's entry with which it has its effect. */
  auditAction: string;
  /** Throws 400 for a target or request that is none of this action. */
  prepare(
    context: ProposalContext,
    target: string,
    request: unknown,
  ): PreparedAction | Promise<PreparedAction>;
}

/** Nothing can be asked of a provider. */
export const NOT_ASKED: ProviderAnswer = { word: "not_asked", said: null };

/** A request as its action's schema reads it. Throws 400. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw requestProblem(parsed.error.issues);
}

/** The 400 of a request with such issues. */
export function requestProblem(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): Problem {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    (errors[["request", ...path].join(".")] ??= []).push(message);
  }
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: `Invalid fields: ${Object.keys(errors).join(", ")}.`,
    errors,
  });
}

/** The part of a target after its kind, such as 7 of `withdraw:7`. Throws 400. */
export function targetId(target: string, kind: string, id: RegExp): string {
  const prefix = `${kind}:`;
  const rest = target.startsWith(prefix) ? target.slice(prefix.length) : "";
  if (id.test(rest)) return rest;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: target.",
    errors: { target: [breaks("prefixAndId", { prefix })] },
  });
}

/** Throws 400 for a target that is not the company. */
export function requireOwnTarget({ company }: ProposalContext, target: string): void {
  targetId(target, "company", new RegExp(`^${company.id}$`));
}

/** Has the company's object book a decision, once, and sends a return that it claims. Throws 404 and 409. */
export async function bookDecision(
  context: ProposalContext,
  effect: OperatorEffect,
  decision: OperatorDecision,
): Promise<void> {
  const { env, deps, company } = context;
  const { id: companyId, credentialsVersion } = company;
  const attempt = newUuid(deps.random);
  const answer = await callCompany(env, companyId, (account) =>
    account.decideByOperators({ companyId, credentialsVersion, effect, decision, attempt }),
  );
  switch (answer.kind) {
    case "version_conflict":
      throw new StaleVersionError(answer.newest);
    case "not_found":
      throw notFound(effect.kind === "payment" ? "unexpected payment" : effect.kind);
    case "not_possible":
      throw notPossible(answer);
    case "decided":
      if (answer.claimed !== null) await executeOperation(context, answer.claimed, null);
  }
}

/** The 409 of a decision that the company's object does not book. */
function notPossible({
  reason: sentence,
  givable,
  takable,
}: Extract<DecideByOperatorsAnswer, { kind: "not_possible" }>): Problem {
  const limit = givable ?? takable;
  if (limit === undefined) return invalidState(sentence, "decision_not_possible");
  const side = givable === undefined ? "takable" : "givable";
  if (limit === 0) return invalidState(sentence, `nothing_${side}`);
  return new Problem({
    code: "INVALID_STATE",
    reason: `beyond_${side}`,
    detail: `${sentence}: at most ${limit} centavos.`,
    extensions: { limitCents: limit },
  });
}

/** The 409 of a decision against what the provider says. */
export function providerDisagrees({
  provider,
  says,
  thing,
}: Extract<ProviderVerdict, { word: "disagrees" }>): Problem {
  return new Problem({
    code: "PROVIDER_DISAGREES",
    detail: `The provider says that this ${thing} is ${says}. A decision against what it says is not taken.`,
    extensions: { provider, says },
  });
}
