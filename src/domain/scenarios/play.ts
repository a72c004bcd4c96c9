import * as z from "zod";
import { isoTime } from "../shared/clock.ts";
import { timeAfter } from "../time/duration.ts";
import {
  balanceOf,
  finding,
  findingsOf,
  newestEvent,
  type Finding,
  type Made,
  type Scene,
} from "./observed.ts";
import { requestOfStep, type ScenarioRequest } from "./requests.ts";
import type { Scenario, Step } from "./scenario.ts";
import { ask, problemOf, type ScenarioAnswer, type ScenarioService } from "./service.ts";
import { withTerms } from "./terms.ts";

const CLOCK_PATH = "/api/v1/sandbox/clock";
const FAULTS_PATH = "/api/v1/sandbox/faults";
/** Calls that one move of the clock makes at most. */
const MOVES_MAX = 20;

/** Something that became due on the way to a step; `name` where the scenario has made it. */
export interface Passed {
  at: string;
  kind: string;
  id: string;
  name: string | null;
}

/** What became of a step. */
export interface PlayedStep {
  /** From 1. */
  number: number;
  /** The company's time. */
  at: string;
  step: Step;
  passed: Passed[];
  /** The code of the problem that it got; null for none. */
  refused: string | null;
  /** The problem's sentence. */
  detail: string | null;
  findings: Finding[];
  holds: boolean;
}

/** A scenario that was played. */
export interface Played {
  steps: PlayedStep[];
  /** The company's time at the end. */
  now: string;
  /** What it has made, by name. */
  made: Record<string, Made>;
  /** Whether all went as the scenario says; after a step that did not, no other one is made. */
  holds: boolean;
}

const CLOCK = z.object({ data: z.object({ now: z.string() }) });
const MOVED = z.object({
  data: z.object({
    now: z.string(),
    hasMore: z.boolean(),
    ran: z.array(z.object({ at: z.string(), kind: z.string(), id: z.string() })),
  }),
});
const FAULTS = z.object({
  data: z.object({
    items: z.array(
      z.object({
        kind: z.string(),
        from: z.string(),
        until: z.string(),
        by: z.string().nullable(),
      }),
    ),
  }),
});
const CREATED = z.object({ data: z.object({ id: z.string() }) });
const CHARGES = z.object({ items: z.array(z.object({ id: z.string() })) });
const CREATED_WITHDRAW = z.object({ id: z.number() });

/**
 * Plays a scenario on a sandbox company, by the public API alone: moves its clock to each step's time, does the step and
 * compares what it expects. `key`: begins the idempotency keys, new for each run. Throws `ScenarioRefused` where the
 * company's clock, terms or balance are not the caller's to use, and the reason of the service's `stop`.
 */
export async function playScenario(
  service: ScenarioService,
  scenario: Scenario,
  key: string,
): Promise<Played> {
  return withTerms(service, scenario.terms, () => new Run(service, scenario, key).play());
}

class Run {
  readonly #service: ScenarioService;
  readonly #scenario: Scenario;
  readonly #key: string;
  readonly #made = new Map<string, Made>();
  /** The company's time at the beginning. */
  #begun = 0;
  readonly #requests = new Map<string, { step: Step; request: ScenarioRequest }>();

  constructor(service: ScenarioService, scenario: Scenario, key: string) {
    this.#service = service;
    this.#scenario = scenario;
    this.#key = key;
  }

  async play(): Promise<Played> {
    const { data } = await ask(this.#service, { method: "GET", path: CLOCK_PATH }, CLOCK);
    this.#begun = Date.parse(data.now);
    const scene: Scene = {
      made: this.#made,
      balance: await balanceOf(this.#service),
      after: await newestEvent(this.#service),
    };
    const steps: PlayedStep[] = [];
    for (const [index, step] of this.#scenario.steps.entries()) {
      this.#service.stop?.throwIfAborted();
      const at = timeAfter(this.#begun, step.at) ?? this.#begun;
      const passed = await this.#moveTo(at);
      const played = await this.#playStep(step, index + 1, scene);
      steps.push({ ...played, at: isoTime(at), passed });
      if (!played.holds) break;
    }
    const holds = steps.every((each) => each.holds);
    const end = await ask(this.#service, { method: "GET", path: CLOCK_PATH }, CLOCK);
    return { steps, now: end.data.now, made: Object.fromEntries(this.#made), holds };
  }

  /** Moves the clock to a time that comes after the beginning. */
  async #moveTo(time: number): Promise<Passed[]> {
    if (time <= this.#begun) return [];
    const { data } = await ask(this.#service, { method: "GET", path: CLOCK_PATH }, CLOCK);
    // A slow service may have come there by itself.
    let set = isoTime(Math.max(time, Date.parse(data.now)));
    const passed: Passed[] = [];
    for (let moves = 1; ; moves += 1) {
      const request = { method: "POST", path: CLOCK_PATH, body: { set } } as const;
      const moved = await ask(this.#service, request, MOVED);
      passed.push(...moved.data.ran.map((each) => ({ ...each, name: this.#nameOf(each.id) })));
      if (!moved.data.hasMore || moves === MOVES_MAX) return passed;
      set = moved.data.now;
    }
  }

  async #playStep(step: Step, number: number, scene: Scene) {
    const answer = await this.#do(step, number);
    const problem = answer === null || answer.status < 300 ? null : problemOf(answer.body);
    const refused = problem?.code ?? null;
    const { expect = {} } = step;
    const findings: Finding[] =
      expect.refused === undefined
        ? []
        : [finding("refused", step.do, expect.refused, refused ?? "-")];
    const isAsExpected = refused === null || refused === expect.refused;
    if (isAsExpected) findings.push(...(await findingsOf(this.#service, expect, scene)));
    const holds = isAsExpected && findings.every((each) => each.holds);
    return { number, step, refused, detail: problem?.detail ?? null, findings, holds };
  }

  /** Does a step; null for one that asks for nothing. */
  async #do(step: Step, number: number): Promise<ScenarioAnswer | null> {
    if (step.do === "check") return null;
    if (step.do === "fault") return this.#addFault(step);
    if (step.do === "repeat") return this.#repeat(step.of);
    const named = ("of" in step ? this.#made.get(step.of)?.id : undefined) ?? "";
    const id = step.do === "debit" ? await this.#newestCharge(named) : named;
    const request = requestOfStep(step, id, this.#begun);
    if (request === null) return null;
    const kept = { ...request, idempotencyKey: `${this.#key}_${number}` };
    if ("as" in step) this.#requests.set(step.as, { step, request: kept });
    return this.#send(step, kept);
  }

  /** Sends a request, and keeps the name of what it has made. */
  async #send(step: Step, request: ScenarioRequest): Promise<ScenarioAnswer> {
    const answer = await this.#service.send(request);
    if (answer.status >= 300) return answer;
    if (step.do === "charge" || step.do === "subscribe") {
      const { data } = CREATED.parse(answer.body);
      const kind = step.do === "charge" ? "charge" : "subscription";
      this.#made.set(step.as, { kind, id: data.id });
    }
    if (step.do === "withdraw") {
      const { id } = CREATED_WITHDRAW.parse(answer.body);
      this.#made.set(step.as, { kind: "withdraw", id: String(id) });
    }
    return answer;
  }

  /** The newest charge of a subscription; the subscription's own id, which is no charge, before its first. */
  async #newestCharge(subscription: string): Promise<string> {
    const path = `/api/v1/subscriptions/${subscription}/charges?limit=1`;
    const { items } = await ask(this.#service, { method: "GET", path }, CHARGES);
    return items[0]?.id ?? subscription;
  }

  async #repeat(name: string): Promise<ScenarioAnswer | null> {
    const known = this.#requests.get(name);
    return known === undefined ? null : this.#send(known.step, known.request);
  }

  /** Adds a fault to those that the company has; those that were over when the scenario began are gone. */
  async #addFault({ kind, for: until, by }: Step & { do: "fault" }): Promise<ScenarioAnswer> {
    const { data } = await ask(this.#service, { method: "GET", path: FAULTS_PATH }, FAULTS);
    const known = data.items
      .filter((item) => Date.parse(item.until) > this.#begun)
      .map((item) => ({
        kind: item.kind,
        from: item.from,
        until: item.until,
        by: item.by ?? undefined,
      }));
    const body = { items: [...known, { kind, until, by }] };
    return this.#service.send({ method: "PUT", path: FAULTS_PATH, body });
  }

  #nameOf(id: string): string | null {
    return [...this.#made].find(([, made]) => made.id === id)?.[0] ?? null;
  }
}

/** The first of those that passed of a kind about the same thing, and how many they were: polls and attempts are many. */
export function summarized(passed: readonly Passed[]): { first: Passed; count: number }[] {
  const groups = Map.groupBy(passed, ({ kind, id }) => `${kind} ${id}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, count: others.length + 1 }],
  );
}
