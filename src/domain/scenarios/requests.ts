import { saoPauloDay } from "../shared/business-day.ts";
import { timeAfter } from "../time/duration.ts";
import type { Step } from "./scenario.ts";

/** A request of the public API. */
export interface ScenarioRequest {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: object;
  idempotencyKey?: string;
}

/** Whom a charge names that names nobody. */
const PAYER = { name: "Maria da Silva", document: { number: "52998224725", type: "CPF" } };

/** What a subscription says that says nothing else. */
const SUBSCRIPTION = { description: "Clube do livro", journey: "QR", retry: [1, 3, 5] };

/**
 * The request of a step about something of its own, by the id of what it names; null for a step that is none: a fault, a
 * repetition, a check. `begunMs`: the company's time at the beginning. A `debit` names the charge.
 */
export function requestOfStep(step: Step, id: string, begunMs: number): ScenarioRequest | null {
  const charge = `/api/v1/transactions/${id}`;
  const subscription = `/api/v1/sandbox/subscriptions/${id}`;
  const sandbox = `/api/v1/sandbox/transactions/${id}`;
  const payout = `/api/v1/sandbox/withdraws/${id}`;
  switch (step.do) {
    case "charge":
      return post("/api/v1/transactions/create", { customer: PAYER, ...step.body });
    case "pay":
      return post(`${sandbox}/pay`, { amount: step.amount, method: step.method });
    case "expire":
    case "fail":
    case "chargeback":
      return post(`${sandbox}/${step.do}`, {});
    case "reverse":
      return post(`${sandbox}/chargeback/reverse`, {});
    case "dispute":
      return post(`${sandbox}/dispute`, { reason: step.reason });
    case "resolve":
      return post(`${sandbox}/dispute/resolve`, { outcome: step.outcome });
    case "cancel":
      return post(`${charge}/cancel`, {});
    case "refund":
      return post(`${charge}/refund`, { amount: step.amount });
    case "receive":
      return post("/api/v1/sandbox/payments", { amount: step.amount });
    case "withdraw":
      return post("/api/Withdraw/request", step.body);
    case "payWithdraw":
      return post(`${payout}/pay`, {});
    case "failWithdraw":
      return post(`${payout}/fail`, {});
    case "returnWithdraw":
      return post(`${payout}/return`, { amount: step.amount });
    case "subscribe": {
      const firstDueDate = saoPauloDay(timeAfter(begunMs, step.firstDue) ?? begunMs);
      const body = { customer: PAYER, ...SUBSCRIPTION, ...step.body, firstDueDate };
      return post("/api/v1/subscriptions", body);
    }
    case "approve":
    case "reject":
      return post(`${subscription}/${step.do}`, {});
    case "payerCancel":
      return post(`${subscription}/payer-cancel`, {});
    case "debit":
      return post(`${sandbox}/attempt`, { outcome: step.outcome });
    case "repeat":
    case "fault":
    case "check":
      return null;
  }
}

function post(path: string, body: object): ScenarioRequest {
  return { method: "POST", path, body };
}
