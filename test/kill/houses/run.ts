import type { Served } from "../../e2e/pix-api/server.ts";
import { providerChargeId } from "../../../src/domain/charges/transaction.ts";
import { CounterpartRun, type KillOptions } from "../lib/counterpart-run.ts";
import { isAcknowledged } from "../lib/journal.ts";
import { send } from "../lib/load.ts";
import { Random } from "../lib/random.ts";
import { backdateConfiguration, storedStateOf } from "../psp/local-state.ts";
import { housesAgreementProblems } from "./check-houses-agreement.ts";
import { LiveHouses } from "./live-houses.ts";
import { COMPANY_ID, loadUntilKilled } from "./load.ts";

/** Separates the houses' random numbers from the load's. */
const HOUSES = 2_000_003;
const REASON = "The contract is signed.";

/** The kill test of a live company that sells at two houses. */
export class HousesKillRun extends CounterpartRun {
  readonly #houses: LiveHouses;
  #served: Served[] = [];

  constructor(options: KillOptions) {
    super(options);
    this.#houses = new LiveHouses(new Random(options.seed, HOUSES));
  }

  /** A live company with its accounts at both houses. */
  protected override async arrange(): Promise<void> {
    this.#served = await this.#houses.serve();
    await this.start();
    for (const [name, account] of Object.entries(this.#houses.accountsAt(this.#served)))
      await this.#connect(name, account);
    const path = `/api/v1/operator/companies/${COMPANY_ID}/providers`;
    const { body } = await this.client.callers.others.operator.call("GET", path);
    this.#houses.pagarMeUrl = body.data.find((each: any) => each.account === "pagarme").callbackUrl;
    await this.restartWith(backdateConfiguration);
  }

  protected override loadUntilKilled(cycle: number, kill: () => Promise<void>): Promise<void> {
    const { seed } = this.options;
    return loadUntilKilled(this.client, this.#houses, { seed, cycle }, kill);
  }

  protected override act(): void {
    this.#houses.doRandomAct();
  }

  protected override companyIds(): number[] {
    return [COMPANY_ID];
  }

  protected override happened(): Record<string, number> {
    return Object.fromEntries(this.#houses.tally);
  }

  protected override async close(): Promise<void> {
    await Promise.all(this.#served.map((served) => served.close()));
  }

  protected override settle(): Promise<string[]> {
    this.#houses.settleAll();
    return this.settleInRounds(() => this.#finalProblems());
  }

  async #finalProblems(): Promise<string[]> {
    this.#houses.settleAll();
    await this.#houses.postNotices();
    const observed = await this.observe(COMPANY_ID);
    const stored = storedStateOf(this.options.stateDir, COMPANY_ID);
    const { problems, disputed } = housesAgreementProblems(this.#houses, observed, stored);
    this.disputed = disputed;
    return [...this.durabilityProblems(observed), ...problems];
  }

  /** Of a part of a card's payment that Efí was asked for without an answer only its panel tells. */
  protected override async decide(): Promise<void> {
    const { efi } = this.#houses;
    const { openRefunds, refundIds } = storedStateOf(this.options.stateDir, COMPANY_ID);
    for (const id of openRefunds.keys()) {
      const customId = providerChargeId(refundIds.get(id) ?? "");
      const isAtEfi = efi.book.charges.some((charge) => charge.custom_id === customId);
      if (!isAtEfi || !efi.hasUnansweredRefund(customId)) continue;
      const outcome = efi.charge(customId).refunds.length > 0 ? "done" : "failed";
      await this.#ask("POST", `operations/${id}/decide`, { outcome });
    }
  }

  /** Any account but the first takes two operators. */
  #connect(name: string, account: object): Promise<void> {
    return this.#ask("PUT", `providers/${name}`, account);
  }

  /** What an operator asks for of the company, and another one approves where it takes two. */
  async #ask(method: "POST" | "PUT", path: string, body: object): Promise<void> {
    const { callers, journal } = this.client;
    const whole = `/api/v1/operator/companies/${COMPANY_ID}/${path}`;
    const asked = await callers.others.operator.call(method, whole, { ...body, reason: REASON });
    if (asked.status === 200) return;
    if (asked.status !== 202) throw new Error(`${path}: ${JSON.stringify(asked.body)}`);
    const { id } = asked.body.data;
    const intent = journal.addIntent({
      kind: "proposal_approve",
      companyId: COMPANY_ID,
      by: "second_operator",
      method: "POST",
      path: `/api/v1/operator/proposals/${id}/approve`,
      body: { reason: REASON },
      key: null,
      subject: id,
    });
    await send(this.client, intent);
    if (!isAcknowledged(intent)) throw new Error(`${path}: ${JSON.stringify(intent.answer)}`);
  }
}
