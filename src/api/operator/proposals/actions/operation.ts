import { z } from "@hono/zod-openapi";
import type { FoundOperation } from "../../../../company/operators/command-types.ts";
import { callCompany } from "../../../../company-client/stub.ts";
import type { OperationKind } from "../../../../domain/charges/operation.ts";
import { invalidState, notFound } from "../../../../http/problems.ts";
import { askOperation, type OperationWord } from "../../../transactions/ask-operation.ts";
import {
  bookDecision,
  parseRequest,
  targetId,
  type ActionDefinition,
  type FinalWord,
  type ProposalContext,
  type ProviderVerdict,
} from "../action.ts";
import { OPERATION_DECISION } from "../requests.ts";

const OperationDecision = z.object(OPERATION_DECISION);
type Outcome = z.output<typeof OperationDecision>["outcome"];

/** What became of a refund, cancel, capture or return whose provider gives no final answer. */
export const operationAction: ActionDefinition = {
  permission: "money:decide",
  auditAction: "operation.decide",
  prepare(context, target, request) {
    const operationId = targetId(target, "operation", /^.{1,64}$/);
    const decision = parseRequest(OperationDecision, request);
    const find = () => requireOperation(context, operationId);
    return {
      request: decision,
      audited: decision,
      async check() {
        const { status, order } = await find();
        if (status !== "PENDING")
          throw invalidState(`The operation is already ${status}`, "decided_already");
        // Nobody but the house knows the boleto's new line.
        if (order.kind === "due_date" && decision.outcome === "done")
          throw invalidState(
            "Only its provider can say that a due date is changed",
            "decision_not_possible",
          );
      },
      async ask() {
        const { order } = await find();
        return askAboutOperation(context, order, (said) =>
          operationWord(said, order.kind, decision.outcome),
        );
      },
      async execute(by) {
        const report =
          decision.outcome === "done"
            ? { kind: "done" as const }
            : { kind: "failed" as const, reason: by.reason };
        await bookDecision(context, { kind: "operation", operationId, report }, by);
        return { status: (await find()).status };
      },
    };
  },
};

async function requireOperation({ env, company }: ProposalContext, operationId: string) {
  const found = await callCompany(env, company.id, (account) => account.findOperation(operationId));
  if (found === null) throw notFound("operation");
  return found;
}

/** Asks the provider of an operation what became of it; `wordOn` says what the answer means for a decision. */
export async function askAboutOperation(
  context: ProposalContext,
  order: FoundOperation["order"],
  wordOn: (said: OperationWord) => FinalWord,
): Promise<ProviderVerdict> {
  const said = await askOperation(context, order);
  const word = wordOn(said);
  if (word !== "disagrees") return { word, said: { ...said } };
  const { env, deps, company } = context;
  const provider = await deps.providers(env).ofAccount(company, order.account, order.paymentMethod);
  const says = said.kind === "not_found" ? "unknown to it" : said.kind;
  return { word, provider: provider?.name ?? order.account, says, thing: order.kind };
}

/**
 * What a provider's answer means for a decision. A refund in progress has no final answer; a charge that is open was not
 * cancelled.
 */
function operationWord(said: OperationWord, kind: OperationKind, outcome: Outcome): FinalWord {
  switch (said.kind) {
    case "unknown":
      return "silent";
    case "not_found":
      return outcome === "failed" ? "silent" : "disagrees";
    case "processing": {
      const isCharge = kind === "cancel" || kind === "capture";
      return isCharge && outcome === "done" ? "disagrees" : "silent";
    }
    case "done":
    case "failed":
      return said.kind === outcome ? "agreed" : "disagrees";
  }
}
