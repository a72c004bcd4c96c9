import { PSP_POINTS, type PspPoint } from "../../../src/domain/psp/profiles/psp-points.ts";
import { PSP_PROFILES } from "../../../src/domain/psp/profiles/psp-profiles.ts";
import { AnswerSchema } from "./answer-schema.ts";
import { Bench, Deviates, jsonOf, type Exchange } from "./bench.ts";
import type { PspCheckConfig } from "./config.ts";
import { maskOf, requestText, answerText } from "./exchange-text.ts";
import type { Point } from "./point.ts";
import { ACCESS_POINTS } from "./points/access.ts";
import { CHARGE_POINTS } from "./points/charges.ts";
import { LIST_POINTS } from "./points/lists.ts";
import { MONEY_POINTS } from "./points/money.ts";
import type { PspFetch } from "./transport.ts";

/** As long as the gateway waits for a PSP. */
const TIMEOUT_MS = 6_000;

/** A demand that the PSP does not keep. Request and answer have no secrets. */
interface Deviation {
  point: PspPoint;
  demanded: string;
  found: string;
  request: string;
  answer: string;
  /** What the profile says of this point already; null where it does not. */
  known: string | null;
}

/** What a check has found. */
export interface PspCheckReport {
  deviations: Deviation[];
  held: PspPoint[];
  notTried: { point: PspPoint; why: string }[];
  calls: number;
}

const POINTS: Point[] = [...ACCESS_POINTS, ...CHARGE_POINTS, ...LIST_POINTS, ...MONEY_POINTS];

/** Which points are tried, by default all, and how long the check waits for an answer. */
interface PspCheckOptions {
  only?: readonly PspPoint[];
  timeoutMs?: number;
}

/** Tries the points of `PSP_POINTS` at a PSP, and cancels what it made. Throws for no deviation. */
export async function checkPsp(
  config: PspCheckConfig,
  send: PspFetch,
  { only, timeoutMs = TIMEOUT_MS }: PspCheckOptions = {},
): Promise<PspCheckReport> {
  const bench = new Bench(config, send, timeoutMs);
  const report = new Reporter(bench);
  const meant = POINTS.filter(({ name }) => only?.includes(name) ?? true);
  for (const point of inOrder(meant)) await report.run(point);
  await cancelMade(bench);
  report.judgeContentTypes();
  report.judgeSchemas();
  const { deviations, held, notTried } = report;
  return { deviations, held, notTried, calls: bench.exchanges.length };
}

/** Points after those that they need. */
function inOrder(points: Point[]): Point[] {
  const sorted: Point[] = [];
  const add = (point: Point) => {
    if (sorted.includes(point)) return;
    for (const name of point.needs) points.filter((each) => each.name === name).forEach(add);
    sorted.push(point);
  };
  points.forEach(add);
  return sorted;
}

/** Leaves no charge open that this check made. */
async function cancelMade(bench: Bench): Promise<void> {
  bench.begin("cob_cancel");
  for (const { chargeId } of bench.made) await bench.provider.cancelCharge(chargeId);
}

/** Runs points and keeps what came of them. */
class Reporter {
  readonly deviations: Deviation[] = [];
  readonly held: PspPoint[] = [];
  readonly notTried: { point: PspPoint; why: string }[] = [];
  readonly #bench: Bench;
  readonly #mask: (text: string) => string;

  constructor(bench: Bench) {
    this.#bench = bench;
    this.#mask = maskOf(bench);
  }

  async run({ name, needs, leftOut, run }: Point): Promise<void> {
    const broken = needs.find((need) => !this.held.includes(need));
    const why =
      leftOut?.(this.#bench.config) ?? (broken === undefined ? null : `${broken} does not hold`);
    if (why !== null) {
      this.notTried.push({ point: name, why });
      return;
    }
    this.#bench.begin(name);
    try {
      await run(this.#bench);
      this.held.push(name);
    } catch (error) {
      if (!(error instanceof Deviates)) throw error;
      this.#add(name, error.message, error.exchange);
    }
  }

  /** The first answer whose JSON body has the type of something else. */
  judgeContentTypes(): void {
    const wrong = this.#sound().find(
      ({ text, headers }) =>
        typeof jsonOf(text) === "object" && !/\bjson\b/.test(headers.get("Content-Type") ?? ""),
    );
    if (wrong === undefined) this.held.push("content_type");
    else this.#add("content_type", `it says ${wrong.headers.get("Content-Type")}`, wrong);
  }

  /** One deviation for each thing that answers break, however often. Points judge those that are no success. */
  judgeSchemas(): void {
    const schema = new AnswerSchema();
    const { pathname } = new URL(this.#bench.config.api.baseUrl);
    const basePath = pathname.replace(/\/+$/, "");
    const faults = new Map<string, Exchange>();
    const successes = this.#sound().filter(({ status }) => status < 300);
    for (const exchange of successes.filter(({ url }) => !this.#bench.isToken(url))) {
      const fault = schema.faultOf(exchange, basePath);
      if (fault !== null && !faults.has(fault)) faults.set(fault, exchange);
    }
    if (faults.size === 0) this.held.push("schema");
    for (const [fault, exchange] of faults) this.#add("schema", fault, exchange);
  }

  /** Answers of points that hold: the others are reported already. */
  #sound(): Exchange[] {
    const broken = new Set(this.deviations.map(({ point }) => point));
    return this.#bench.exchanges.filter(({ point, status }) => status > 0 && !broken.has(point));
  }

  #add(point: PspPoint, found: string, exchange: Exchange | null): void {
    const { profile } = this.#bench.config;
    const faults = profile === null ? [] : PSP_PROFILES[profile].faults;
    const known = faults.find(({ value }) => value.point === point);
    this.deviations.push({
      point,
      demanded: PSP_POINTS[point],
      found: this.#mask(found),
      request: exchange === null ? "" : requestText(exchange, this.#mask),
      answer: exchange === null ? "" : answerText(exchange, this.#mask),
      known: known === undefined ? null : `${known.value.what} (${known.source.name})`,
    });
  }
}
