import { randomUUID } from "node:crypto";
import { wait } from "../../kill/lib/wait.ts";
import { Merchant, type MerchantAnswer } from "../../../tools/lib/merchant.ts";

const PRICE = 2_500;
const WITHDRAWN = 1_000;
/** One sale in so many is followed by a withdraw. */
const WITHDRAW_EVERY = 3;
const RETRY_MS = 200;
/** The service of before and the one of after take seconds to stop and to start. */
const PATIENCE_MS = 120_000;

const KINDS = ["create", "pay", "withdraw"] as const;
export type Kind = (typeof KINDS)[number];

/** What the service has acknowledged of one key. */
interface Acknowledged {
  kind: Kind;
  /** Sends the same again. */
  repeat: () => Promise<MerchantAnswer>;
  id: string;
}

/** The server of the first local company: it sells and withdraws, and repeats under the same key what got no answer. */
export class Shop {
  readonly #merchant: Merchant;
  readonly #acknowledged: Acknowledged[] = [];
  #isOpen = true;
  #lastAnswerAt = Date.now();
  refused = 0;
  longestSilenceMs = 0;

  constructor(base: string) {
    this.#merchant = new Merchant(base);
  }

  get companyId(): number {
    return this.#merchant.companyId;
  }

  /** Ends the work after the sale in hand. */
  close(): void {
    this.#isOpen = false;
  }

  acknowledged(): Record<Kind, number> {
    const count = (kind: Kind) => this.#acknowledged.filter((each) => each.kind === kind).length;
    return { create: count("create"), pay: count("pay"), withdraw: count("withdraw") };
  }

  /** Sells until the shop closes. Rejects if an answer is neither a success nor "come again". */
  async work(): Promise<void> {
    let sales = 0;
    while (this.#isOpen) {
      sales += 1;
      const key = randomUUID();
      const charge = { amount: PRICE, paymentMethod: "PIX", customer: { name: "Maria da Silva" } };
      const create = () => this.#merchant.create(charge, key);
      const { id } = (await this.#until("create", create)).body.data;
      this.#acknowledged.push({ kind: "create", repeat: create, id });
      const pay = () => this.#merchant.pay(id);
      await this.#until("pay", pay);
      this.#acknowledged.push({ kind: "pay", repeat: pay, id });
      if (sales % WITHDRAW_EVERY === 0) await this.#withdraw();
    }
  }

  async #withdraw(): Promise<void> {
    const key = randomUUID();
    const withdraw = () => this.#merchant.withdraw({ amount: WITHDRAWN }, key);
    const { id } = (await this.#until("withdraw", withdraw)).body;
    this.#acknowledged.push({ kind: "withdraw", repeat: withdraw, id: String(id) });
  }

  /** Repeats a request until it is answered. */
  async #until(what: string, request: () => Promise<MerchantAnswer>): Promise<MerchantAnswer> {
    for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt;) {
      const answer = await request().catch(() => null);
      if (answer !== null && answer.status < 300) {
        this.longestSilenceMs = Math.max(this.longestSilenceMs, Date.now() - this.#lastAnswerAt);
        this.#lastAnswerAt = Date.now();
        return answer;
      }
      const mayComeAgain = answer === null || answer.status >= 500 || answer.status === 429;
      if (!mayComeAgain)
        throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
      this.refused += 1;
      await wait(RETRY_MS);
    }
    throw new Error(`${what}: no answer within ${PATIENCE_MS / 1_000} s`);
  }

  /** What is lost or doubled: each key answers as before, and the balance is the sum of what was acknowledged. */
  async problems(): Promise<string[]> {
    const problems: string[] = [];
    for (const { kind, repeat, id } of this.#acknowledged.filter((each) => each.kind !== "pay")) {
      const { body } = await this.#until(kind, repeat);
      const again = String(kind === "create" ? body.data.id : body.id);
      if (again !== id) problems.push(`doubled: ${kind} ${id} is ${again} when repeated`);
    }
    for (const { id } of this.#acknowledged.filter((each) => each.kind === "pay")) {
      const path = `/api/v1/transactions/${id}`;
      const { body } = await this.#until("read", () => this.#merchant.call("GET", path));
      if (body.data.status !== "PAID") problems.push(`lost: ${id} is ${body.data.status}`);
    }
    const { create: _, pay, withdraw } = this.acknowledged();
    const { body } = await this.#until("balance", () => this.#merchant.balance());
    const [has, expected] = [Math.round(body.accBalance * 100), pay * PRICE - withdraw * WITHDRAWN];
    if (has !== expected) problems.push(`wrong: the balance is ${has} centavos, not ${expected}`);
    return problems;
  }
}
