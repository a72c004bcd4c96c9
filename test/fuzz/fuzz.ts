import { recordMinute } from "../../src/db/watch/heartbeats.ts";
import { createApp } from "../../src/app.ts";
import { LOCAL_COMPANIES } from "../../tools/lib/local-companies.ts";
import { env, givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import { freshIsolate } from "../support/builders/companies/isolate.ts";
import { OPERATOR_CREDENTIALS } from "../support/builders/companies/operator.ts";
import { Seeded } from "../support/builders/requests/property.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { openApi } from "../support/probes/http/documented.ts";
import { Checks } from "./checks.ts";
import { changedTables, stateOf } from "../support/probes/database/company-state.ts";
import { operationsOf, type Operation } from "../support/probes/http/operations.ts";
import { Ids } from "./ids.ts";
import { MUTATIONS } from "./mutations.ts";
import { Requests, type Caller, type FuzzRequest } from "./request.ts";
import { Junk } from "./values.ts";

const ORIGIN = "http://localhost:8787";
/** Requests of one company between two looks at the other's state. */
const TURN_REQUESTS = 50;
/** Much more than any answer takes; a request that takes longer hangs. */
const ANSWER_MAX_MS = 10_000;
const HOUR_MS = 3_600_000;
const FAULTS_MAX = 20;
/** Operations that end the run's own access, or leave the database that it looks at. */
const LEAVING = /\/(?:keys(?:\/|$)|close$|move$|providers\/)/;
/** Asked more often than the others: they make and move what the others need. */
const MAKING = /transactions\/create$|Withdraw\/request$|cards\/tokens$/;
const MOVING = /(?:transactions|withdraws|Withdraw)\/\{id\}\//;

const YEARS_MS = 10 * 365 * 86_400_000;

/** Stands between the service and the checks: tests put faults there. */
export type Between = (answer: Promise<Response>, request: Request) => Promise<Response>;

export interface FuzzReport {
  requests: number;
  statuses: Record<string, number>;
  operations: number;
  /** Operations without a successful answer. */
  neverSucceeded: string[];
  faults: string[];
}

/** Sends random requests of both local companies and compares each answer with the OpenAPI document. */
export class Fuzz {
  readonly #random: Seeded;
  readonly #junk: Junk;
  readonly #ids = new Ids();
  readonly #requests: Requests;
  readonly #clock = new TestClock();
  readonly #app;
  readonly #env = { ...env, WEBHOOKS: SILENT_QUEUE, PAYOUTS: SILENT_QUEUE, TASKS: SILENT_QUEUE };
  readonly #statuses: Record<string, number> = {};
  readonly #succeeded = new Set<string>();
  readonly #faults: string[] = [];

  readonly #through: Between;

  constructor(seed: number, through: Between = (answer) => answer) {
    this.#through = through;
    this.#random = new Seeded(seed);
    this.#junk = new Junk(this.#random);
    this.#requests = new Requests(this.#random, this.#junk, this.#ids);
    this.#app = createApp({ ...freshIsolate(), platformClock: this.#clock });
  }

  async run(requests: number): Promise<FuzzReport> {
    const document = await openApi();
    const operations = operationsOf(document);
    const checks = new Checks(document, operations);
    const companies = await Promise.all(
      LOCAL_COMPANIES.map((as) => givenCompany({ as, clock: this.#clock })),
    );
    // The cron runs beside it, for as long as the clock may go: else the service is not ready.
    await recordMinute(this.#env, this.#clock.now() + YEARS_MS);
    const callers = companies.map((company, index) => callerOf(company, companies[1 - index]!.id));
    for (let sent = 0, turn = 0; sent < requests; turn++) {
      const caller = callers[turn % 2]!;
      const other = companies[1 - (turn % 2)]!;
      const before = await stateOf(other);
      const log: string[] = [];
      for (let n = 0; n < TURN_REQUESTS && sent < requests; n++, sent++) {
        log.push(await this.#one(operations, checks, caller));
        if (this.#faults.length >= FAULTS_MAX) return this.#report(sent, operations);
      }
      const changed = changedTables(before, await stateOf(other));
      if (changed.length > 0) {
        this.#faults.push(
          `company ${other.id} changed in ${changed.join(", ")}:\n${log.join("\n")}`,
        );
      }
      this.#clock.advance(this.#random.integer(0, 6 * HOUR_MS));
    }
    return this.#report(requests, operations);
  }

  #report(requests: number, operations: Operation[]): FuzzReport {
    return {
      requests,
      statuses: this.#statuses,
      operations: operations.length,
      neverSucceeded: operations
        .map(({ method, path }) => `${method} ${path}`)
        .filter((name) => !this.#succeeded.has(name)),
      faults: this.#faults,
    };
  }

  /** Sends one request and checks its answer; returns the request as text. */
  async #one(operations: Operation[], checks: Checks, caller: Caller): Promise<string> {
    const operation = this.#pick(operations);
    const request = this.#requests.valid(operation, caller);
    if (LEAVING.test(operation.path)) {
      request.headers = request.headers.filter(([name]) => name !== "X-API-Key");
      const { credentials, operatorCredentials } = caller;
      const others = operation.path.includes("/operator/") ? credentials : operatorCredentials;
      request.headers.push(["X-API-Key", others["X-API-Key"]!]);
    }
    const isMutated = this.#random.fraction() < 0.55;
    for (let n = isMutated ? this.#random.integer(1, 3) : 0; n > 0; n--) {
      const tools = { random: this.#random, junk: this.#junk, ids: this.#ids, caller };
      this.#random.pick(MUTATIONS)(request, tools);
    }
    ofOwnCompany(request, caller);
    const sent = await this.#send(request);
    const line = describe(request);
    if (typeof sent === "string") {
      this.#faults.push(`${sent}\n  ${line}`);
      return line;
    }
    const { response, text, pathname } = sent;
    const { status } = response;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    const faults = checks.faultsOf({ method: request.method, pathname, response, text });
    if (text.includes(caller.marker === "mark-1" ? "mark-2" : "mark-1")) {
      faults.push("shows the other company's data");
    }
    for (const fault of faults) {
      this.#faults.push(
        `${operation.method} ${operation.path} ${status}: ${fault}\n  ${line}\n  ${text.slice(0, 600)}`,
      );
    }
    if (status < 300 && request.method !== "HEAD") {
      this.#succeeded.add(`${operation.method} ${operation.path}`);
      if (text.startsWith("{") && !pathname.includes("/operator/")) {
        const isOwn = !pathname.includes("checkout") && !pathname.startsWith("/.well-known");
        if (isOwn) this.#ids.learn(caller.companyId, operation.path, JSON.parse(text));
      }
    }
    return line;
  }

  #pick(operations: Operation[]): Operation {
    const picked = this.#random.pick(operations);
    const share = this.#random.fraction();
    if (share >= 0.5) return picked;
    const often = share < 0.2 ? MAKING : MOVING;
    return this.#random.pick(operations.filter(({ path }) => often.test(path)));
  }

  async #answer(request: Request): Promise<Response> {
    return this.#app.fetch(request, this.#env);
  }

  /** The answer; a text if there is none. */
  async #send(request: FuzzRequest) {
    const query = new URLSearchParams(request.query).toString();
    const url = new URL(`${ORIGIN}${request.pathname}${query === "" ? "" : `?${query}`}`);
    const headers = new Headers();
    for (const [name, value] of request.headers) headers.append(name, value);
    const isBodyless = request.method === "GET" || request.method === "HEAD";
    const body =
      request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const sent = new Request(url, {
      method: request.method,
      headers,
      ...(isBodyless || body === undefined ? {} : { body }),
    });
    try {
      const response = await withDeadline(this.#through(this.#answer(sent), sent));
      return { response, text: await withDeadline(response.text()), pathname: url.pathname };
    } catch (error) {
      return `no answer: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

/** An operator may act for the other company by its number in a body, which is no fault: his requests name the caller's. */
function ofOwnCompany({ pathname, body }: FuzzRequest, caller: Caller): void {
  const isForeign = body?.companyId === caller.otherCompanyId;
  if (pathname.includes("/operator/") && isForeign) body.companyId = caller.companyId;
}

const SILENT_QUEUE = {
  send: async () => undefined,
  sendBatch: async () => undefined,
} as any;

function callerOf(company: TestCompany, otherCompanyId: number): Caller {
  return {
    companyId: company.id,
    otherCompanyId,
    credentials: company.credentials,
    operatorCredentials: OPERATOR_CREDENTIALS,
    marker: `mark-${company.id}`,
  };
}

async function withDeadline<Answer>(answer: Answer | Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing in ${ANSWER_MAX_MS} ms`)), ANSWER_MAX_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describe({ method, pathname, query, headers, body, rawBody }: FuzzRequest): string {
  const shown = headers.filter(([name]) => name !== "X-API-Key");
  const content = rawBody ?? JSON.stringify(body);
  return `${method} ${pathname.slice(0, 300)} ${JSON.stringify([query, shown]).slice(0, 800)} ${String(content).slice(0, 900)}`;
}
