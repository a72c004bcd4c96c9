import { PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { servePsp, type Served } from "../../e2e/pix-api/server.ts";
import type { Merchant } from "../../../tools/lib/merchant.ts";
import { APPROVED_COMPANY } from "../lib/callers.ts";
import { CounterpartRun, type KillOptions } from "../lib/counterpart-run.ts";
import { send } from "../lib/load.ts";
import { decideExit } from "../lib/plan-decisions.ts";
import { Random } from "../lib/random.ts";
import { assertDefined } from "../lib/required.ts";
import { readWaiting } from "../lib/waiting.ts";
import { bankAgreementProblems } from "./check-bank-agreement.ts";
import { LiveBank } from "./live-bank.ts";
import { loadUntilKilled } from "./load.ts";
import { backdateConfiguration, storedStateOf } from "./local-state.ts";

/** Separates a bank's random numbers from the load's. */
const BANKS = 2_000_003;
/** Centavos of a day that nobody approves; beyond them company 1's refunds and returns wait. */
const REFUND_APPROVAL_ABOVE = 20_000;
const PIX_KEYS = ["7d9f0335-8dcc-4054-9bf9-0dbd61d36906", "outra@example.com"];

/** The kill test of live companies with a PSP each. */
export class PspKillRun extends CounterpartRun {
  readonly #banks: LiveBank[];
  #served: Served[] = [];

  constructor(options: KillOptions) {
    super(options);
    this.#banks = PIX_KEYS.map(
      (key, index) => new LiveBank(new Random(options.seed, BANKS, index), key),
    );
  }

  /** Live companies with their configured PSPs. */
  protected override async arrange(): Promise<void> {
    this.#served = await Promise.all(this.#banks.map(({ psp }) => servePsp(psp)));
    await this.start();
    const { operator } = this.client.callers.others;
    for (const [index, { key }] of this.#banks.entries()) {
      const url = this.#served[index]?.url ?? "";
      const path = `/api/v1/operator/companies/${index + 1}/providers/pix-api`;
      const answer = await operator.call("PUT", path, {
        baseUrl: url,
        tokenUrl: `${url}/oauth/token`,
        ...PSP_CLIENT,
        pixKey: key,
        payouts: { url },
      });
      if (answer.status !== 200) throw new Error(`PUT pix-api: ${JSON.stringify(answer.body)}`);
    }
    await this.restartWith(backdateConfiguration);
    const limits = await this.#approvedMerchant().call("PUT", "/api/v1/company/settings", {
      refundApprovalAbove: REFUND_APPROVAL_ABOVE,
    });
    if (limits.status !== 200) throw new Error(`PUT settings: ${JSON.stringify(limits.body)}`);
  }

  protected override loadUntilKilled(cycle: number, kill: () => Promise<void>): Promise<void> {
    const { seed } = this.options;
    return loadUntilKilled(this.client, this.#banks, { seed, cycle }, kill);
  }

  protected override act(): void {
    for (const bank of this.#banks) bank.doRandomAction();
  }

  protected override companyIds(): number[] {
    return this.client.callers.merchants.map(({ companyId }) => companyId);
  }

  protected override happened(): Record<string, number> {
    const sum: Record<string, number> = {};
    for (const { tally } of this.#banks) {
      for (const [what, times] of tally) sum[what] = (sum[what] ?? 0) + times;
    }
    return sum;
  }

  protected override async close(): Promise<void> {
    await Promise.all(this.#served.map((served) => served.close()));
  }

  /** Decides what waits, reconciles every list once more and compares the books. */
  protected override async settle(): Promise<string[]> {
    await this.#decideWaiting();
    for (const bank of this.#banks) bank.settleAll();
    return this.settleInRounds(async () => {
      for (const bank of this.#banks) {
        bank.settleAll();
        await bank.postCallbacks(this.base);
      }
      return this.#finalProblems();
    });
  }

  async #finalProblems(): Promise<string[]> {
    const problems: string[] = [];
    this.disputed = 0;
    for (const [index, companyId] of this.companyIds().entries()) {
      const bank = assertDefined(this.#banks[index], "a bank");
      const observed = await this.observe(companyId);
      const kept = storedStateOf(this.options.stateDir, companyId);
      const found = bankAgreementProblems(bank, observed, kept);
      problems.push(...this.durabilityProblems(observed), ...found.problems);
      this.disputed += found.disputed;
    }
    return problems;
  }

  /** Approves what waits for it, and refuses what may not be approved any more. */
  async #decideWaiting(): Promise<void> {
    const approved = { journal: this.client.journal, companyId: APPROVED_COMPANY };
    for (const decision of ["approve", "refuse"] as const) {
      const waiting = await readWaiting(this.#approvedMerchant());
      if (waiting === null) throw new Error("The service does not answer what waits");
      for (const id of waiting.exits) await send(this.client, decideExit(approved, id, decision));
      await this.retry();
    }
  }

  #approvedMerchant(): Merchant {
    return assertDefined(this.client.callers.merchants[APPROVED_COMPANY - 1], "a merchant");
  }
}
