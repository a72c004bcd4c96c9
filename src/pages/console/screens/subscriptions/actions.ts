import {
  approveRoute,
  attemptRoute,
  payerCancelRoute,
  rejectRoute,
} from "../../../../api/sandbox/subscriptions.ts";
import {
  byHandRoute,
  cancelChargeRoute,
  cancelRoute,
  changeRoute,
  openRoute,
  pauseRoute,
  resumeRoute,
  retryRoute,
} from "../../../../api/subscriptions/routes.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { asTyped } from "../../form.ts";
import { formOf, keyOf } from "../answers.tsx";
import { dunningRequest } from "./dunning.tsx";

/** `refused`: by the API; its problem is null where the typed amount is none. */
export type Acted =
  | { kind: "done" }
  | { kind: "no_such_action" }
  | { kind: "refused"; status: number; problem: ApiProblem | null };

/** Does what a button of a subscription's page says. */
export async function actOnSubscription(
  c: ConsoleContext,
  id: string,
  action: string,
): Promise<Acted> {
  const params = { id };
  switch (action) {
    case "cancel":
      return actedOf(await callRoute(c, cancelRoute, { params, json: {} }));
    case "pause":
      return actedOf(await callRoute(c, pauseRoute, { params, json: {} }));
    case "resume":
      return actedOf(await callRoute(c, resumeRoute, { params, json: {} }));
    case "approve":
      return actedOf(await callRoute(c, approveRoute, { params, json: {} }));
    case "reject":
      return actedOf(await callRoute(c, rejectRoute, { params, json: {} }));
    case "payer-cancel":
      return actedOf(await callRoute(c, payerCancelRoute, { params, json: {} }));
    case "amount": {
      const amount = parseReais((await formOf(c))["amount"] ?? "");
      if (amount === null) return { kind: "refused", status: 400, problem: null };
      return actedOf(await callRoute(c, changeRoute, { params, json: { amount } }));
    }
    case "open": {
      const form = await formOf(c);
      const typed = (form["amount"] ?? "").trim();
      const amount = typed === "" ? undefined : parseReais(typed);
      if (amount === null) return { kind: "refused", status: 400, problem: null };
      const json = { dueDate: form["dueDate"] ?? "", ...(amount === undefined ? {} : { amount }) };
      return actedOf(await callRoute(c, openRoute, { params, json, ...keyOf(form) }));
    }
    case "dunning": {
      const json = { dunning: dunningRequest(await formOf(c)) };
      return actedOf(await callRoute(c, changeRoute, { params, json }));
    }
    default:
      return { kind: "no_such_action" };
  }
}

/** Does what a button of one debit says. */
export async function actOnCharge(
  c: ConsoleContext,
  { id, transactionId, action }: { id: string; transactionId: string; action: string },
): Promise<Acted> {
  const params = { id, transactionId };
  const form = await formOf(c);
  switch (action) {
    case "by-hand":
      return actedOf(await callRoute(c, byHandRoute, { params, json: {} }));
    case "cancel":
      return actedOf(await callRoute(c, cancelChargeRoute, { params, json: {} }));
    case "retry": {
      const json = { date: form["date"] ?? "" };
      return actedOf(await callRoute(c, retryRoute, { params, json, ...keyOf(form) }));
    }
    case "attempt": {
      const json = { outcome: asTyped(form["outcome"] ?? "") };
      const of = { params: { id: transactionId }, json };
      return actedOf(await callRoute(c, attemptRoute, of));
    }
    default:
      return { kind: "no_such_action" };
  }
}

function actedOf(answer: { ok: true } | { ok: false; status: number; body: ApiProblem }): Acted {
  return answer.ok
    ? { kind: "done" }
    : { kind: "refused", status: answer.status, problem: answer.body };
}
