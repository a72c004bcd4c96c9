import * as z from "zod";
import { PAYMENT_METHODS } from "../charges/charge-status.ts";
import { PERIODS } from "../subscriptions/subscription.ts";
import { timeAfter } from "../time/duration.ts";
import { FAULT_KINDS } from "../time/sandbox-fault.ts";
import { DEBIT_OUTCOMES } from "../subscriptions/debit-outcome.ts";

/** Steps of one scenario: a run stays below what one request may do. */
const STEPS_MAX = 60;

const Name = z.string().regex(/^[a-z][\w-]{0,39}$/i, "must be a name of letters and digits");
const Duration = z
  .string()
  .regex(/^P[\dT]/, "must be an ISO 8601 duration, such as P2D or PT3H")
  .refine(
    (text) => timeAfter(0, text) !== null,
    "must be an ISO 8601 duration, such as P2D or PT3H",
  );
const Cents = z.int().min(1);

/** A text in both languages, or in one. */
const Words = z.union([z.string(), z.strictObject({ en: z.string(), "pt-BR": z.string() })]);
export type Words = z.output<typeof Words>;

const Expect = z
  .strictObject({
    refused: z
      .string()
      .optional()
      .meta({ description: "The code of the problem that the step gets." }),
    status: z
      .record(Name, z.string())
      .optional()
      .meta({ description: "The status of charges, withdraws and subscriptions, by their names." }),
    balance: z
      .strictObject({
        available: z.int().optional(),
        awaiting: z.int().optional(),
        blocked: z.int().optional(),
        owed: z.int().optional(),
        net: z.int().optional().meta({ description: "`available` without what is owed." }),
      })
      .optional()
      .meta({ description: "By how many centavos the balance has changed since the beginning." }),
    events: z.record(Name, z.array(z.string())).optional().meta({
      description:
        "All events about a charge, a withdraw or a subscription with its debits so far, in order.",
    }),
  })
  .meta({ description: "What must hold once the step is done." });
export type Expect = z.output<typeof Expect>;

const Fee = z.strictObject({ basisPoints: z.int().optional(), fixed: z.int().optional() });
const Terms = z
  .strictObject({
    fees: z.record(z.string(), Fee).optional(),
    releaseDays: z.record(z.string(), z.int()).optional(),
  })
  .meta({ description: "The company's terms while it is played; those of before are set again." });

function step<Do extends string, Shape extends z.ZodRawShape>(
  act: Do,
  about: string,
  shape: Shape,
) {
  return z
    .strictObject({
      at: Duration.meta({ description: "When, since the beginning: P2D is two days later." }),
      do: z.literal(act),
      expect: Expect.optional(),
      ...shape,
    })
    .meta({ description: about });
}

const of = Name.meta({ description: "What an earlier step has called so." });
const as = Name.meta({ description: "What later steps call it." });

const Step = z.discriminatedUnion("do", [
  step("charge", "Creates a charge.", {
    as,
    body: z
      .looseObject({ amount: Cents, paymentMethod: z.enum(PAYMENT_METHODS) })
      .meta({ description: "As `POST /api/v1/transactions/create` takes it." }),
  }),
  step("pay", "The payer pays a charge.", {
    of,
    amount: Cents.optional(),
    method: z.string().optional(),
  }),
  step("expire", "A charge expires.", { of }),
  step("fail", "A charge fails.", { of }),
  step("cancel", "You cancel a charge.", { of }),
  step("refund", "You refund a charge.", { of, amount: Cents.optional() }),
  step("dispute", "The payer's bank disputes a payment.", { of, reason: z.string().optional() }),
  step("resolve", "The payer's bank decides its dispute.", {
    of,
    outcome: z.enum(["won", "lost"]),
  }),
  step("chargeback", "The card's bank takes a payment back.", { of }),
  step("reverse", "The card's bank gives a chargeback back.", { of }),
  step("receive", "Somebody pays without a charge.", { amount: Cents }),
  step("withdraw", "You withdraw money.", {
    as,
    body: z
      .looseObject({ amount: Cents })
      .meta({ description: "As `POST /api/Withdraw/request` takes it." }),
  }),
  step("payWithdraw", "The receiving bank has a withdraw's money.", { of }),
  step("failWithdraw", "The receiving bank refuses a withdraw.", { of }),
  step("returnWithdraw", "The receiving bank sends a withdraw back.", {
    of,
    amount: Cents.optional(),
  }),
  step("subscribe", "You ask a payer for a subscription.", {
    as,
    firstDue: Duration.meta({ description: "Its first due date, since the beginning." }),
    body: z
      .looseObject({ amount: Cents, period: z.enum(PERIODS) })
      .meta({ description: "As `POST /api/v1/subscriptions` takes it." }),
  }),
  step("approve", "The payer approves a subscription.", { of }),
  step("reject", "The payer refuses a subscription.", { of }),
  step("payerCancel", "The payer cancels a subscription in the bank's app.", { of }),
  step("debit", "The payer's bank decides what becomes of a subscription's next debit.", {
    of,
    outcome: z.enum(DEBIT_OUTCOMES),
  }),
  step("repeat", "You send a request that made something again, with its key.", { of }),
  step("fault", "Something goes wrong from now on.", {
    kind: z.enum(FAULT_KINDS),
    for: Duration,
    by: Duration.optional(),
  }),
  step("check", "Nothing is done: time passes.", {}),
]);
export type Step = z.output<typeof Step>;

/** What a step can make. */
export type MadeKind = "charge" | "withdraw" | "subscription";
const SUBSCRIPTION_STEPS: ReadonlySet<Step["do"]> = new Set([
  "subscribe",
  "approve",
  "reject",
  "payerCancel",
  "debit",
]);

const Scenario = z
  .strictObject({
    $schema: z.string().optional(),
    name: Words,
    description: Words,
    terms: Terms.optional(),
    steps: z.array(Step).min(1).max(STEPS_MAX),
  })
  .meta({ title: "Scenario", description: "What happens to a sandbox company, by its clock." });
export type Scenario = z.output<typeof Scenario>;

/** The JSON Schema of a scenario's file. */
export function scenarioSchema(): object {
  return z.toJSONSchema(Scenario, { io: "input" });
}

/** A scenario, or what is wrong with it: a sentence for each fault, which names its step and field. */
export function parseScenario(
  value: unknown,
): { scenario: Scenario; faults: null } | { scenario: null; faults: string[] } {
  const { data, error } = Scenario.safeParse(value, { error: messageOf });
  const faults = error === undefined ? faultsOfOrder(data) : error.issues.map(faultOf);
  return faults.length === 0 && data !== undefined
    ? { scenario: data, faults: null }
    : { scenario: null, faults };
}

/** What a field that is left out is told, in the command and in the Worker. */
const messageOf: z.core.$ZodErrorMap = (issue) =>
  issue.code === "invalid_type" && issue.input === undefined ? "is missing" : undefined;

function faultOf({ path, message }: z.core.$ZodIssue): string {
  const [first, index, ...fields] = path;
  if (first !== "steps" || typeof index !== "number")
    return `${path.join(".") || "file"}: ${message}`;
  const field = fields.join(".");
  return `step ${index + 1}${field === "" ? "" : `, ${field}`}: ${message}`;
}

/** The steps go forward in time, and name what an earlier one has made. */
function faultsOfOrder(scenario: Scenario | undefined): string[] {
  const made = new Map<string, MadeKind>();
  const faults: string[] = [];
  let last = 0;
  for (const [index, each] of (scenario?.steps ?? []).entries()) {
    const say = (field: string, message: string) =>
      faults.push(`step ${index + 1}, ${field}: ${message}`);
    const at = timeAfter(0, each.at) ?? 0;
    if (at < last) say("at", "must not be before the step above");
    last = Math.max(last, at);
    if ("of" in each) {
      const kind = made.get(each.of);
      const wanted = kindOf(each.do);
      if (kind === undefined) say("of", `no earlier step has made "${each.of}"`);
      else if (each.do !== "repeat" && kind !== wanted) say("of", `"${each.of}" is no ${wanted}`);
    }
    if ("as" in each) {
      if (made.has(each.as)) say("as", `an earlier step is called "${each.as}"`);
      made.set(each.as, kindOf(each.do));
    }
    const named = { ...each.expect?.status, ...each.expect?.events };
    for (const name of Object.keys(named)) {
      if (!made.has(name)) say("expect", `no step has made "${name}"`);
    }
  }
  return faults;
}

/** What a step makes, or is about. */
function kindOf(act: Step["do"]): MadeKind {
  if (SUBSCRIPTION_STEPS.has(act)) return "subscription";
  return act.toLowerCase().endsWith("withdraw") ? "withdraw" : "charge";
}

/** A text in a language; one that is only in one language as it is. */
export function wordsIn(words: Words, language: "en" | "pt-BR"): string {
  return typeof words === "string" ? words : words[language];
}
