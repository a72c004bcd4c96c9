import * as z from "zod";
import type { Expect, MadeKind } from "./scenario.ts";
import { ask, type ScenarioService } from "./service.ts";

/** Reads of what is not written yet. */
const LOOKS_MAX = 10;
const PAGE = 100;

/** Something that a step has made. */
export interface Made {
  kind: MadeKind;
  id: string;
}

/** The balance in centavos. */
export type Balance = Record<keyof NonNullable<Expect["balance"]>, number>;

/** What a step expected and what was there. */
export interface Finding {
  about: keyof Expect;
  /** Of a status and of events the name, of the balance its part, of a refusal the step. */
  what: string;
  expected: string;
  found: string;
  holds: boolean;
}

const BALANCE = z.object({
  data: z.object({
    availableCents: z.number(),
    awaitingCents: z.number(),
    blockedCents: z.number(),
    owedCents: z.number(),
  }),
});
const BALANCE_PARTS = ["available", "awaiting", "blocked", "owed", "net"] as const;
const WITH_STATUS = z.object({ data: z.object({ status: z.string() }) });
const PATHS = { charge: "/api/v1/transactions", subscription: "/api/v1/subscriptions" };
const WITHDRAW = z.object({ enTransaction: z.string() });
const EVENTS = z.object({
  hasMore: z.boolean(),
  items: z.array(
    z.object({
      companySequence: z.number(),
      type: z.string(),
      data: z
        .object({
          id: z.unknown().optional(),
          transactionId: z.unknown().optional(),
          subscriptionId: z.unknown().optional(),
        })
        .nullable(),
    }),
  ),
});

export async function balanceOf(service: ScenarioService): Promise<Balance> {
  const path = "/api/v1/balance?currency=BRL";
  const { data } = await ask(service, { method: "GET", path }, BALANCE);
  const { availableCents, awaitingCents, blockedCents, owedCents } = data;
  return {
    available: availableCents,
    awaiting: awaitingCents,
    blocked: blockedCents,
    owed: owedCents,
    net: availableCents - owedCents,
  };
}

async function statusOf(service: ScenarioService, { kind, id }: Made): Promise<string> {
  if (kind === "withdraw") {
    const path = `/api/Withdraw/${id}`;
    return (await ask(service, { method: "GET", path }, WITHDRAW)).enTransaction;
  }
  const path = `${PATHS[kind]}/${id}`;
  return (await ask(service, { method: "GET", path }, WITH_STATUS)).data.status;
}

/** The number of the company's newest event; 0 before the first. */
export async function newestEvent(service: ScenarioService): Promise<number> {
  const path = "/api/v1/events?order=newest&limit=1";
  const { items } = await ask(service, { method: "GET", path }, EVENTS);
  return items[0]?.companySequence ?? 0;
}

/** What a scenario has to look at. */
export interface Scene {
  made: ReadonlyMap<string, Made>;
  balance: Balance;
  /** The newest event before it. */
  after: number;
}

/** What holds of what a step expects. Looks again while something does not: the service writes a moment later. */
export async function findingsOf(
  service: ScenarioService,
  expect: Expect,
  scene: Scene,
): Promise<Finding[]> {
  for (let looks = 1; ; looks += 1) {
    const findings = await look(service, expect, scene);
    if (findings.every(({ holds }) => holds) || looks === LOOKS_MAX) return findings;
    await service.pause();
  }
}

async function look(service: ScenarioService, expect: Expect, scene: Scene): Promise<Finding[]> {
  const { status = {}, balance, events } = expect;
  const findings: Finding[] = [];
  for (const [name, expected] of Object.entries(status)) {
    const made = scene.made.get(name);
    const found = made === undefined ? "-" : await statusOf(service, made);
    findings.push(finding("status", name, expected, found));
  }
  if (balance !== undefined) {
    const now = await balanceOf(service);
    for (const part of BALANCE_PARTS) {
      const expected = balance[part];
      const change = now[part] - scene.balance[part];
      if (expected !== undefined)
        findings.push(finding("balance", part, String(expected), String(change)));
    }
  }
  if (events === undefined) return findings;
  const happened = await eventsAfter(service, scene.after);
  for (const [name, expected] of Object.entries(events)) {
    const made = scene.made.get(name);
    const types = happened.filter((event) => isAbout(event, made)).map(({ type }) => type);
    findings.push(finding("events", name, expected.join(", "), types.join(", ")));
  }
  return findings;
}

async function eventsAfter(service: ScenarioService, after: number) {
  const found: { type: string; of: string[] }[] = [];
  for (let last = after; ;) {
    const path = `/api/v1/events?after=${last}&limit=${PAGE}`;
    const { items, hasMore } = await ask(service, { method: "GET", path }, EVENTS);
    found.push(
      ...items.map(({ type, data }) => ({
        type,
        of: [String(data?.id), String(data?.transactionId), String(data?.subscriptionId)],
      })),
    );
    last = items.at(-1)?.companySequence ?? last;
    if (!hasMore) return found;
  }
}

/** A withdraw's id is a number, which something else may have too. */
function isAbout({ type, of }: { type: string; of: string[] }, made: Made | undefined): boolean {
  if (made === undefined || !of.includes(made.id)) return false;
  return made.kind !== "withdraw" || type.startsWith("withdraw.");
}

/** Whether what was found is what a step expects. */
export function finding(
  about: Finding["about"],
  what: string,
  expected: string,
  found: string,
): Finding {
  return { about, what, expected, found, holds: expected === found };
}
