import { env as workerEnv } from "cloudflare:workers";
import { vi } from "vitest";
import { endShadowCharges } from "../../src/api/transactions/attempts/shadows.ts";
import { providerChargeId, transactionOfCharge } from "../../src/domain/charges/transaction.ts";
import { waitUntilDrained } from "../support/builders/companies/company.ts";
import {
  chargeRows,
  givenTwoBanks,
  payableAt,
  type TwoBanks,
} from "../support/builders/providers/two-banks.ts";
import { deliverCallbacks, reconcileDue } from "../support/builders/providers/psp.ts";
import { createTransaction } from "../support/builders/charges/transaction.ts";
import { runSweep } from "../support/fakes/cron.ts";
import type { FakePsp } from "../support/fakes/fake-psp/psp.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";
import { eventsOf } from "../support/probes/webhooks/webhook-rows.ts";
import { randomChoice, randomFraction } from "./seeded-random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Seldomer than the real cron, which has more tries. */
const CRON_MS = 2 * MINUTE;
/** After the hour the bank is there again, and the cron has this long. */
const AFTERWARDS = 10 * MINUTE;
const AMOUNT = 1_000;
/** A company of its own for so many charges, within its quota of a day. */
const CHARGES_MAX = 500;

/** What becomes of a request to the dead bank. Half an hour on, some are answered again. */
const DEAD = { lost: 30, made: 25, late: 20, late_answer: 25, good: 0 };
const FLAPPING = { lost: 15, made: 15, late: 10, late_answer: 10, good: 50 };
/** Whether a bank's callbacks come. */
const CALLBACKS = { once: 50, lost: 30, twice: 20 };
/** What is paid of a charge: what is shown, what nobody saw (if it was made), both. */
const PAID = { none: 60, shown: 30, unseen: 5, both: 5 };

/** How many charges, and the seed, from `BANK_CHARGES` and `CHAOS_SEED`. */
export const settings = (workerEnv as unknown as { CHAOS: { bankCharges: number; seed: number } })
  .CHAOS;

/** What went wrong in a run, and how much happened in it. */
export interface DeadBankRun {
  violations: string[];
  creates: number;
  /** Charges that the second bank has shown. */
  moved: number;
  /** Charges that the dead bank made and nobody saw. */
  unseen: number;
  payments: number;
}

/** Companies whose first bank is dead for an hour, and then there again, until so many charges were made. */
export async function runDeadBank(charges: number, seed: number): Promise<DeadBankRun> {
  const total: DeadBankRun = { violations: [], creates: 0, moved: 0, unseen: 0, payments: 0 };
  for (let first = 0; first < charges; first += CHARGES_MAX) {
    const count = Math.min(CHARGES_MAX, charges - first);
    const company = new DeadBankHour(await givenTwoBanks(), seed + first);
    const run = await company.live(count);
    total.violations.push(...run.violations);
    total.creates += run.creates;
    total.moved += run.moved;
    total.unseen += run.unseen;
    total.payments += run.payments;
  }
  return total;
}

class DeadBankHour {
  readonly #world: TwoBanks;
  readonly #seed: number;
  readonly #startedAt: number;
  readonly #violations: string[] = [];
  #draws = 0;
  #nextCronAt: number;
  #isOver = false;
  #giveUp: (() => void)[] = [];
  #release: (() => void)[] = [];
  #late: { at: number; arrive: () => Promise<unknown> }[] = [];

  constructor(world: TwoBanks, seed: number) {
    this.#world = world;
    this.#seed = seed;
    this.#startedAt = world.clock.now();
    this.#nextCronAt = this.#startedAt + CRON_MS;
  }

  async live(count: number): Promise<DeadBankRun> {
    const wait = vi.spyOn(scheduler, "wait").mockImplementation(
      (ms) =>
        new Promise((resolve) => {
          if (ms === 2_000) this.#giveUp.push(() => resolve(undefined));
        }),
    );
    this.#breakFirst();
    for (let number = 0; number < count; number++) {
      await this.#createOne();
      await this.#passTime(HOUR / count);
    }
    this.#isOver = true;
    await this.#passTime(AFTERWARDS);
    wait.mockRestore();
    for (const psp of [this.#world.psp, this.#world.second])
      await deliverCallbacks({ ...this.#world, psp });
    await reconcileDue(this.#world);
    await waitUntilDrained(this.#world.company);
    return this.#judge(count);
  }

  #draw<Name extends string>(weights: Record<Name, number>): Name {
    return randomChoice(weights, randomFraction(this.#seed, "bank", (this.#draws += 1)));
  }

  /** The first bank's answers, but for its tokens, are lost, late or repeated. */
  #breakFirst(): void {
    const { psp, clock } = this.#world;
    const answer = psp.answer.bind(psp);
    psp.answer = async (request) => {
      if (this.#isOver || request.url.includes("/oauth")) return answer(request);
      const isFlapping = clock.now() - this.#startedAt > HOUR / 2;
      const fate = this.#draw(isFlapping ? FLAPPING : DEAD);
      const copy = () => answer(request.clone());
      if (fate === "good") return copy();
      if (fate === "late") this.#late.push({ at: clock.now() + 4 * MINUTE, arrive: copy });
      if (fate === "made") await Promise.all([copy(), copy()]);
      if (fate !== "late_answer") return new Response("no answer", { status: 502 });
      const said = await copy();
      for (const giveUp of this.#giveUp.splice(0)) giveUp();
      await new Promise<void>((resolve) => this.#release.push(resolve));
      return said;
    };
  }

  async #createOne(): Promise<void> {
    const { company, options } = this.#world;
    const answer = await createTransaction(company, { amount: AMOUNT }, options);
    this.#releaseAll();
    if (answer.status !== 200) {
      this.#violations.push(`a create was answered ${answer.status}: ${answer.text}`);
      return;
    }
    await this.#pay(answer.body.data.id);
  }

  async #pay(id: string): Promise<void> {
    const paid = this.#draw(PAID);
    if (paid === "none") return;
    const row = (await chargeRows(this.#world.company)).find((each) => each.id === id);
    const isFirst = row?.account === this.#world.accounts.first;
    const { psp, second } = this.#world;
    if (paid !== "unseen") payOpen(isFirst ? psp : second, providerChargeId(id, row?.attempt));
    if (paid !== "shown" && !isFirst) payOpen(psp, providerChargeId(id));
    for (const bank of [psp, second]) bank.scheduleCallbacks(() => this.#draw(CALLBACKS));
    for (const bank of [psp, second]) await deliverCallbacks({ ...this.#world, psp: bank });
    this.#releaseAll();
  }

  #releaseAll(): void {
    for (const release of this.#release.splice(0)) release();
  }

  /** Lets time pass; late requests arrive, and the cron runs. */
  async #passTime(ms: number): Promise<void> {
    const { clock, env, deps } = this.#world;
    const until = clock.now() + ms;
    while (this.#nextCronAt <= until) {
      clock.advance(this.#nextCronAt - clock.now());
      this.#nextCronAt += CRON_MS;
      const arrived = this.#late.filter(({ at }) => at <= clock.now());
      this.#late = this.#late.filter(({ at }) => at > clock.now());
      for (const { arrive } of arrived) await arrive();
      await this.#withoutWaiting(endShadowCharges(env, deps));
      await this.#withoutWaiting(runSweep(deps, env));
    }
    clock.advance(until - clock.now());
  }

  /** The cron waits for no answer that is late. */
  async #withoutWaiting(work: Promise<void>): Promise<void> {
    const watch = setInterval(() => this.#releaseAll(), 1);
    await work.finally(() => clearInterval(watch));
  }

  async #judge(creates: number): Promise<DeadBankRun> {
    const { company, psp, second } = this.#world;
    const rows = await chargeRows(company);
    const shown = new Set(rows.map(({ id, attempt }) => providerChargeId(id, attempt)));
    for (const bank of [psp, second]) {
      const live = payableAt(bank).filter((id) => !shown.has(id));
      if (live.length > 0) this.#violations.push(`shadow charges can be paid: ${live.join()}`);
    }
    const payments = [...psp.book.received, ...second.book.received];
    const paid = new Set(payments.map(({ txid = "" }) => transactionOfCharge(txid)?.id));
    const credited = (await eventsOf(company)).filter(({ type }) => type === "transaction.paid");
    const ids = credited.map(({ objectId }) => objectId);
    if (new Set(ids).size !== ids.length) this.#violations.push("a charge was credited twice");
    if (ids.length !== paid.size)
      this.#violations.push(`${paid.size} charges were paid, ${ids.length} credited`);
    const { provider = 0, suspense = 0 } = await accountsOf(company);
    if (
      -provider !== payments.length * AMOUNT ||
      suspense !== (payments.length - paid.size) * AMOUNT
    )
      this.#violations.push(
        `of ${payments.length} payments ${-provider} and ${suspense} are booked`,
      );
    const moved = rows.filter(({ account }) => account === this.#world.accounts.second).length;
    const unseen = [...psp.book.cobs.keys()].filter((id) => !shown.has(id)).length;
    return { violations: this.#violations, creates, moved, unseen, payments: payments.length };
  }
}

function payOpen(bank: FakePsp, chargeId: string): void {
  if (bank.book.cobs.get(chargeId)?.status === "ATIVA") bank.pay(chargeId);
}
