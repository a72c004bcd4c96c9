import { evictDurableObject } from "cloudflare:test";
import * as fc from "fast-check";
import { expect } from "vitest";
import { sweepCallbacks } from "../../../src/api/provider-callbacks/tasks.ts";
import { companyStub } from "../../../src/company-client/stub.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import {
  clearBacklog,
  env,
  takeCreatedCompanies,
} from "../../support/builders/companies/company.ts";
import { postCallback, reconcileDue, type PspSetup } from "../../support/builders/providers/psp.ts";
import { connectBeside, givenLonePsp } from "../../support/builders/providers/shared-psp.ts";
import { cents } from "../../support/fakes/fake-psp/book.ts";
import { findingsOf } from "../../support/probes/contradictions/findings.ts";
import { assertInvariants } from "../../support/probes/ledger/invariants.ts";
import { accountsOf } from "../../support/probes/ledger/ledger.ts";
import { pick } from "./pick.ts";

const STEPS_MAX = 14;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The days after the last step, in which each company reads its lists. */
const DAYS_AFTER = 3;

/** `who` and `which` select a company or a callback modulo their number. */
type Step =
  | { do: "connect" }
  | { do: "charge"; who: number; amount: number }
  | { do: "pay"; which: number }
  | { do: "payKey"; amount: number; names: "no key" | "first" | "second"; txid: boolean }
  | { do: "tell"; who: number; which: number }
  | { do: "read"; who: number };

const amount = fc.integer({ min: 100, max: 50_000 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Step>({ do: "connect" }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("charge" as const), who: fc.nat(1), amount }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pay" as const), which: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("payKey" as const),
      amount,
      names: fc.constantFrom(
        "no key" as const,
        "no key" as const,
        "first" as const,
        "second" as const,
      ),
      txid: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("tell" as const), who: fc.nat(1), which: fc.nat(9) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("read" as const), who: fc.nat(1) }) },
);

/** Companies behind one client of a PSP, whose lists and callbacks show each the payments of all. */
class SharedLife {
  readonly worlds: PspSetup[];
  /** Every callback that the PSP owes; it may tell each company each of them, and again. */
  readonly #callbacks: unknown[] = [];

  constructor(first: PspSetup) {
    this.worlds = [first];
  }

  get #psp() {
    return pick(this.worlds, 0).psp;
  }

  async apply(step: Step): Promise<void> {
    switch (step.do) {
      case "connect":
        if (this.worlds.length === 1) this.worlds.push(await connectBeside(pick(this.worlds, 0)));
        break;
      case "charge": {
        const { company, options } = pick(this.worlds, step.who);
        await createTransaction(company, { amount: step.amount }, options);
        break;
      }
      case "pay": {
        const open = [...this.#psp.book.cobs].filter(([, { status }]) => status === "ATIVA");
        if (open.length > 0) this.#psp.pay(pick(open, step.which)[0]);
        break;
      }
      case "payKey":
        this.#payKey(step);
        break;
      case "tell":
        await this.#tell(step);
        break;
      case "read":
        await this.read(pick(this.worlds, step.who));
    }
    this.#callbacks.push(...this.#psp.callbacks.splice(0));
  }

  async read(world: PspSetup): Promise<void> {
    world.clock.advance(2 * MINUTE_MS);
    await reconcileDue(world);
    await sweepCallbacks(world.env, world.deps);
  }

  /** What the bank has of the account's payments, less what an open finding leaves to a person. Centavos. */
  async expected(): Promise<number> {
    const found = await Promise.all(this.worlds.map(({ company }) => findingsOf(company)));
    const undecided = new Set(
      found
        .flat()
        .filter(({ kind, status }) => kind === "payment_identity" && status !== "decided")
        .map(({ object }) => object),
    );
    return this.#psp.book.received
      .filter(({ endToEndId }) => !undecided.has(`payment:${endToEndId}`))
      .reduce((sum, { valor }) => sum + cents(valor), 0);
  }

  /** What both ledgers say that the bank has for them, in centavos. */
  async credited(): Promise<number> {
    const accounts = await Promise.all(this.worlds.map(({ company }) => accountsOf(company)));
    return accounts.reduce((sum, { provider = 0 }) => sum - provider, 0);
  }

  async cleanUp(): Promise<void> {
    for (const { company } of this.worlds) {
      await clearBacklog(company.id);
      await env.DB.batch(
        ["psp_accounts", "callbacks", "reconciliation_passes"].map((table) =>
          env.DB.prepare(`DELETE FROM ${table} WHERE company_id = ?`).bind(company.id),
        ),
      );
      await evictDurableObject(companyStub(env, company.id));
    }
  }

  /** To a key of the account, which the PSP may not say; with the txid of a charge of other software, or none. */
  #payKey({ amount: paid, names, txid }: Extract<Step, { do: "payKey" }>): void {
    const named = this.worlds[names === "second" ? 1 : 0];
    const key = names === "no key" ? undefined : named?.configured.pixKey;
    const endToEndId = this.#psp.payKey((paid / 100).toFixed(2), key);
    if (txid) this.#psp.book.pix(endToEndId)!.txid = "0123456789abcdef0123456789abcdef";
  }

  async #tell({ who, which }: Extract<Step, { do: "tell" }>): Promise<void> {
    if (this.#callbacks.length === 0) return;
    const world = pick(this.worlds, who);
    const body = JSON.stringify(pick(this.#callbacks, which));
    await postCallback(world, `${world.configured.callbackUrl}/pix`, body);
  }
}

/**
 * The second company may be connected at any time. What is credited to both together is what the bank received,
 * but for payments that a finding shows to operators: no payment is credited twice, and none is forgotten.
 */
export function companiesShareTheBank(tally: Map<string, number>) {
  const steps = fc.array(anyStep, { maxLength: STEPS_MAX, size: "max" });
  return fc.asyncProperty(steps, async (lived) => {
    const life = new SharedLife(await givenLonePsp());
    try {
      for (const step of [...lived, { do: "connect" } as const]) {
        tally.set(step.do, (tally.get(step.do) ?? 0) + 1);
        await life.apply(step);
      }
      for (let day = 0; day < DAYS_AFTER; day++) {
        pick(life.worlds, 0).clock.advance(DAY_MS / 2);
        for (const world of life.worlds) await life.read(world);
      }
      expect(await life.credited()).toBe(await life.expected());
      await assertInvariants();
    } finally {
      takeCreatedCompanies();
      await life.cleanUp();
    }
  });
}
