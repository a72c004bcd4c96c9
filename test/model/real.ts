import { systemDependencies } from "../../src/dependencies.ts";
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { expect } from "vitest";
import { createApp } from "../../src/app.ts";
import { findTransaction } from "../../src/api/transactions/repository.ts";
import { chargeTerms, type TransactionRow } from "../../src/db/projection/transaction-mapper.ts";
import { findCompany } from "../../src/db/companies/companies.ts";
import { callsTo } from "../support/builders/companies/calls.ts";
import { companyStub } from "../../src/company-client/stub.ts";
import type { CompanyRpc } from "../../src/company/calls.ts";
import type { Company } from "../../src/domain/shared/company.ts";
import { Problem } from "../../src/domain/shared/problem.ts";
import { providerChargeId, type ChargeTerms } from "../../src/domain/charges/transaction.ts";
import type { Env } from "../../src/config.ts";
import type { Dependencies } from "../../src/http/context.ts";
import { sweepTransactions } from "../../src/api/transactions/sweep/tasks.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import { assertInvariants } from "../support/probes/ledger/invariants.ts";
import { evict } from "../support/faults/object.ts";
import { ScriptedBank } from "./bank.ts";
import { FaultyProjection, isCrash, type DrainMode } from "./faults.ts";
import type { Charge, Dispute, State } from "./reference/state.ts";
import {
  APPROVER_CREDENTIALS,
  OPERATOR_CREDENTIALS,
} from "../support/builders/companies/operator.ts";
import { givenApplication } from "../support/builders/companies/application.ts";
import { expireRefunds } from "./reference/refund-approvals.ts";
import { expireApprovals } from "./reference/withdraws.ts";
import { freshIsolate } from "../support/builders/companies/isolate.ts";
import { ledgerViewOf, projectionOf, type LedgerView } from "./views.ts";

/** The changes of a seeded bug; none by default. */
export interface Hooks {
  /** D1 as the object's drain sees it. */
  drainEnv: (env: Env) => Env;
  /** Inside the object, after each command. */
  afterStep?: () => void;
}

/** Who calls: the company, its second application, which approves, or one of two operators. */
type Actor = "company" | "second" | "operator" | "approver";

const NO_HOOKS: Hooks = { drainEnv: (untouched) => untouched };
/** Rejections that a key replays. */
const ANSWERED_NO: ReadonlySet<unknown> = new Set(["REFUND_REFUSED", "CAPTURE_REFUSED"]);
const ORIGIN = "https://localhost";

/** The product under test: one company, its bank, and the faults between them. */
export class RealSystem {
  readonly bank = new ScriptedBank();
  readonly deps: Dependencies;
  readonly company: TestCompany;
  readonly #credentials: Record<Actor, Record<string, string>>;
  /** Transaction ids by their index in the model's list. */
  readonly transactionIds: string[] = [];
  /** Proposals' ids by their index in the model's list. */
  readonly proposalIds: string[] = [];
  readonly #state: State;
  readonly #seams: Hooks;
  readonly #app;
  readonly #projection: FaultyProjection;
  /** The first response under each key. */
  readonly #responsesByKey = new Map<string, string>();

  private constructor(
    state: State,
    { company, second }: Record<"company" | "second", TestCompany>,
    seams: Hooks,
  ) {
    this.#state = state;
    this.company = company;
    this.#credentials = {
      company: company.credentials,
      second: second.credentials,
      operator: OPERATOR_CREDENTIALS,
      approver: APPROVER_CREDENTIALS,
    };
    this.#seams = seams;
    this.#projection = new FaultyProjection(seams.drainEnv(env));
    this.deps = {
      ...systemDependencies,
      platformClock: { now: () => state.now },
      providers: () => this.bank.registry(),
    };
    this.#app = createApp(this.deps);
  }

  static async start(state: State, seams: Partial<Hooks> = {}): Promise<RealSystem> {
    const company = await givenCompany({ clock: { now: () => state.now } });
    const second = await givenApplication(company);
    const real = new RealSystem(state, { company, second }, { ...NO_HOOKS, ...seams });
    await real.#configureObject();
    return real;
  }

  get env(): Env {
    return env;
  }

  get object(): CompanyRpc {
    return callsTo(this.company.id);
  }

  /** One request through the whole app: its status, or its problem's code; whether it was a replay. */
  async request(
    method: "POST" | "PUT",
    path: string,
    request: { body?: object; key?: string | null; env?: Env; as?: Actor } = {},
  ): Promise<string> {
    const { key = null } = request;
    const { response, text } = await this.#send(method, path, request);
    const { code } = JSON.parse(text) as { code?: string };
    const answer = code ?? String(response.status);
    const replayed = response.headers.has("Idempotent-Replayed");
    const isAnswer = replayed || response.status < 300 || ANSWERED_NO.has(code);
    if (key !== null && isAnswer) this.#expectSameResponse(`${path} ${key}`, text);
    return replayed ? `${answer} replayed` : answer;
  }

  /** The first operator's proposal: as `request`, with its id. */
  async propose(
    method: "POST" | "DELETE",
    path: string,
    body: object,
  ): Promise<{ answer: string; id: string | null }> {
    const { response, text } = await this.#send(method, path, { body, as: "operator" });
    const { code, data } = JSON.parse(text) as { code?: string; data?: { id: string } };
    return { answer: code ?? String(response.status), id: data?.id ?? null };
  }

  async #send(
    method: "POST" | "PUT" | "DELETE",
    path: string,
    request: { body?: object; key?: string | null; env?: Env; as?: Actor },
  ): Promise<{ response: Response; text: string }> {
    const { body, key = null, as = "company" } = request;
    // The fault hits the claim itself, not a request with outdated cached credentials.
    const app =
      request.env === undefined ? this.#app : createApp({ ...this.deps, ...freshIsolate() });
    const response = await app.fetch(
      new Request(`${ORIGIN}${path}`, {
        method,
        headers: {
          Accept: "application/json",
          ...this.#credentials[as],
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(key === null ? {} : { "Idempotency-Key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
      request.env ?? env,
    );
    return { response, text: await response.text() };
  }

  /** Runs a consumer's or operator's action; returns `died` for a crash or a problem's code. */
  async serveOrCrash(run: () => Promise<string | void>): Promise<string> {
    try {
      return (await run()) ?? "done";
    } catch (error) {
      if (isCrash(error)) return "died";
      if (error instanceof Problem) return error.details.code;
      throw error;
    }
  }

  /** A charge's row in D1. */
  async rowOf(charge: Charge): Promise<TransactionRow> {
    const row = await findTransaction(env, this.company.id, this.transactionIds[charge.index]!);
    if (row === null) throw new Error("the transaction is not in D1");
    return row;
  }

  async termsOf(charge: Charge): Promise<ChargeTerms> {
    return chargeTerms(await this.rowOf(charge));
  }

  async findCompany(): Promise<Company> {
    const company = await findCompany(env, this.company.id);
    if (company === null) throw new Error("the company is not in D1");
    return company;
  }

  /** The public id of an operation by its number. */
  operationIdOf(number: number): Promise<string> {
    const query = "SELECT operation_id AS id FROM operations WHERE id = ?";
    return inAccount(this.company.id, (_account, { storage }) => {
      return storage.sql.exec<{ id: string }>(query, number).one().id;
    });
  }

  /** The txid of the company's static code, which it makes at first use. */
  async staticTxid(): Promise<string> {
    const query = "SELECT txid FROM static_codes WHERE company_id = ?";
    const find = () => env.DB.prepare(query).bind(this.company.id).first<string>("txid");
    const known = await find();
    if (known !== null) return known;
    expect(await this.request("POST", "/api/v1/pix/static-codes", { body: {} })).toBe("201");
    return (await find())!;
  }

  /** Records the newest transaction's id for the model's index; it expires when the model says. */
  async refreshCharge(charge: Charge): Promise<void> {
    const row = await env.DB.prepare(
      `SELECT id, expires_at AS expiresAt FROM transactions WHERE company_id = ? AND seq = ?`,
    )
      .bind(this.company.id, charge.index + 1)
      .first<{ id: string; expiresAt: number | null }>();
    if (row === null) throw new Error(`transaction ${charge.index + 1} is not in D1`);
    const { id, expiresAt } = row;
    expect(expiresAt, "the expiry").toBe(charge.expiresAt);
    this.transactionIds.push(id);
    this.bank.charges.set(providerChargeId(id), charge);
  }

  /**
   * Runs the minute's cron with only one charge due. A created charge before its expiry would be
   * postponed; an unfinished create is resumed at its provider.
   */
  async sweep(charge: Charge): Promise<void> {
    const id = this.transactionIds[charge.index];
    const { expiresAt } = await this.rowOf(charge);
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE transactions SET next_sweep_at = NULL WHERE next_sweep_at IS NOT NULL",
      ),
      env.DB.prepare(
        `UPDATE transactions SET next_sweep_at = ?1,
           expires_at = iif(answered_at IS NOT NULL AND expires_at > ?1, NULL, expires_at)
         WHERE id = ?2`,
      ).bind(this.#state.now, id),
    ]);
    await sweepTransactions(env, this.deps);
    await env.DB.prepare("UPDATE transactions SET expires_at = ? WHERE id = ?")
      .bind(expiresAt, id)
      .run();
  }

  async evict(): Promise<void> {
    await evict(this.company, { clock: this.deps.platformClock });
    await this.#configureObject();
  }

  async fireAlarm(): Promise<void> {
    await runDurableObjectAlarm(companyStub(env, this.company.id));
  }

  setDrain(drain: DrainMode): void {
    this.#projection.mode = drain;
  }

  /** Drains the backlog and runs something while D1 answers; what arrives late is still to come. */
  async whileD1IsUp(run: () => Promise<string>): Promise<string> {
    const { mode } = this.#projection;
    this.#projection.mode = "up";
    await this.object.runNow();
    try {
      return await run();
    } finally {
      this.#projection.mode = mode;
    }
  }

  /** D1 is available again: the backlog is drained, and then the delayed writes arrive. */
  async restoreD1(): Promise<void> {
    this.#projection.mode = "up";
    await this.object.runNow();
    await this.#projection.applyLateWrites();
    expect(await projectionOf(this.company, this.transactionIds), "D1 after the drain").toEqual(
      modelProjection(this.#state),
    );
  }

  /** Asserts that the object's books equal the model's and that its invariants hold. */
  async verify(): Promise<void> {
    const { afterStep } = this.#seams;
    if (afterStep !== undefined) await inAccount(this.company.id, afterStep);
    expect(await ledgerViewOf(this.company, this.transactionIds), "the object").toEqual(
      modelLedger(this.#state),
    );
  }

  /** Everything is drained in the end, and the bank received exactly what the model sent. */
  async cleanUp(): Promise<void> {
    expireApprovals(this.#state);
    expireRefunds(this.#state);
    await this.restoreD1();
    await assertInvariants();
    const { withdraws } = this.#state;
    const { items } = await this.object.listWithdraws({ offset: 0, size: 100, newestFirst: false });
    expect(
      items.map((withdraw) => this.bank.sendCounts.get(withdraw.payoutId) ?? 0),
      "payouts sent",
    ).toEqual(withdraws.map((withdraw) => withdraw.sendCount));
    const total = [...this.bank.sendCounts.values()].reduce((sum, times) => sum + times, 0);
    const sent = [...withdraws, ...this.#state.operations].reduce(
      (sum, each) => sum + each.sendCount,
      0,
    );
    expect(total, "orders to the bank").toBe(sent);
    // Otherwise thousands of objects would stay in memory.
    await evictDurableObject(companyStub(env, this.company.id));
  }

  async #configureObject(): Promise<void> {
    await inAccount(this.company.id, (account) => {
      account.projection = this.#projection;
      // Calls have no deadline here, however slow the machine is: a fault after them is injected
      // by the test.
      account.deadlineClock = { now: () => 0 };
    });
  }

  #expectSameResponse(key: string, text: string): void {
    const first = this.#responsesByKey.get(key);
    if (first === undefined) this.#responsesByKey.set(key, text);
    else expect(text, `the answer of ${key}`).toBe(first);
  }
}

function modelLedger(state: State): LedgerView {
  const { owed, ...accounts } = state.accounts;
  return {
    violations: [],
    accounts: { ...accounts, debt: 0 - owed },
    frozen: state.frozen,
    charges: state.charges.map((charge) =>
      charge.hasTransitioned ? [charge.status, charge.paidAmount, charge.refundedAmount] : null,
    ),
    disputes: state.disputes.map(disputeRow),
    operations: state.operations.map(({ kind, amount, status, approval }) => [
      kind,
      amount,
      status,
      approval,
    ]),
    withdraws: state.withdraws.map(({ amount, fee, status, approval }) => [
      amount,
      fee,
      status,
      approval,
    ]),
    contradictions: [...state.contradictions.values()].map(({ kind, held, status }) => [
      kind,
      held,
      status,
    ]),
    kept: [...state.payments]
      .filter(([, each]) => each.inSuspense && (each.returned?.status ?? "FAILED") === "FAILED")
      .map(([id]) => id)
      .toSorted(),
    dailyTotals: state.dailyTotals,
    hasAlarm: true,
  };
}

function disputeRow({ status, amount, deadline, text }: Dispute): unknown[] {
  return [status, amount, deadline, text];
}

function modelProjection(state: State) {
  return {
    charges: state.charges.map((charge) => [
      charge.status,
      charge.paidAmount,
      charge.refundedAmount,
      state.operations
        .filter((each) => each.kind === "refund" && each.charge === charge)
        .map(({ amount, status }) => [amount, status]),
      charge.events,
    ]),
    disputes: state.disputes.map((each) => [...disputeRow(each), each.events]),
    withdraws: state.withdraws
      .filter(({ events }) => events.length > 0)
      .map((withdraw) => [withdraw.status, withdraw.events]),
    dailyTotals: state.dailyTotals,
  };
}
