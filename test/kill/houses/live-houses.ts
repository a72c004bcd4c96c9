import { providerChargeId } from "../../../src/domain/charges/transaction.ts";
import { EFI_CLIENT, FakeEfi } from "../../support/fakes/efi-cobrancas/efi.ts";
import { PSP_KEY } from "../../support/fakes/fake-psp/book.ts";
import { FakePsp, PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { actAtHouses, endAll, type HouseAct } from "../../support/fakes/house-acts.ts";
import { FakePagarMe, SECRET_KEY } from "../../support/fakes/pagarme/house.ts";
import { servePsp, type Served } from "../../e2e/pix-api/server.ts";
import type { Random } from "../lib/random.ts";

/** The newest minute of orders is not listed: a clock that is behind still lists each once. Efí lists whole days. */
const VIEW_LAG_MS = 2 * 60_000;
/** Probabilities of lost, doubled and late notices. */
const LOST = 0.25;
const DOUBLED = 0.15;
const LATE = 0.2;
const LATE_MAX_MS = 8_000;
const WHICH_MAX = 1_000_000;
const FAULTS = ["error_500", "reset", "unavailable", "malformed"] as const;
/** Charges up to this amount are at Efí, beyond it at Pagar.me. */
export const EFI_AMOUNT_TO = 30_000;

/** Weights of what happens at the houses. */
const WEIGHTS = {
  pay: 30,
  credit: 25,
  endRefund: 20,
  decide: 10,
  contest: 3,
  endContest: 6,
  payPix: 20,
  endPixRefund: 15,
  waitingRefund: 4,
  fault: 4,
} as const;
type Happening = keyof typeof WEIGHTS;

interface Notice {
  url: string;
  type: string;
  body: string;
  at: number;
}

/** A live company's two houses and its bank for PIX behind HTTP, with their payers and people, driven by a seed. */
export class LiveHouses {
  readonly psp: FakePsp;
  readonly efi: FakeEfi;
  readonly pagarme: FakePagarMe;
  /** Counts of what happened and of notices by fate. */
  readonly tally = new Map<string, number>();
  /** Where Pagar.me posts. */
  pagarMeUrl = "";
  readonly #random: Random;
  #pending: Notice[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.psp = new FakePsp({ now: () => Date.now() - VIEW_LAG_MS });
    this.efi = new FakeEfi();
    this.pagarme = new FakePagarMe({ now: () => Date.now() - VIEW_LAG_MS });
  }

  serve(): Promise<Served[]> {
    return Promise.all([this.psp, this.efi, this.pagarme].map((house) => servePsp(house)));
  }

  /** The accounts at the bank and the houses as an operator connects them, by their names. */
  accountsAt([psp, efi, pagarme]: Served[]): Record<string, object> {
    const methods = ["BOLETO", "CREDIT_CARD"];
    const { clientSecret, ...client } = PSP_CLIENT;
    return {
      psp: {
        provider: "pix-api",
        methods: ["PIX", "PAYOUT"],
        priority: 1,
        settings: {
          baseUrl: psp?.url,
          tokenUrl: `${psp?.url}/oauth/token`,
          payouts: { url: psp?.url },
          ...client,
          pixKey: PSP_KEY,
        },
        secrets: { clientSecret },
      },
      efi: {
        provider: "efi-cobrancas",
        methods,
        priority: 1,
        conditions: { amountTo: EFI_AMOUNT_TO },
        settings: {
          baseUrl: efi?.url,
          clientId: EFI_CLIENT.clientId,
          payeeCode: "0".repeat(32),
        },
        secrets: { clientSecret: EFI_CLIENT.clientSecret },
      },
      pagarme: {
        provider: "pagarme",
        methods,
        priority: 2,
        conditions: { amountFrom: EFI_AMOUNT_TO + 1 },
        settings: { baseUrl: pagarme?.url, publicKey: "pk_test_0123456789abcdef", kind: "psp" },
        secrets: { secretKey: SECRET_KEY },
      },
    };
  }

  /** A token of a card that the payer's browser made at the house of an amount. */
  tokenFor(amount: number): string {
    if (amount <= EFI_AMOUNT_TO) {
      return `a${crypto.randomUUID().replaceAll("-", "").repeat(2)}`.slice(0, 40);
    }
    return this.pagarme.book.tokenize({
      number: "4242424242424242",
      holderName: "MARIA DA SILVA",
      expirationMonth: 12,
      expirationYear: 2035,
      cvv: "123",
    });
  }

  /** Something that payers, acquirers, people or the network do. */
  doRandomAct(): void {
    const kinds = Object.entries(WEIGHTS) as [Happening, number][];
    let left = this.#random.next() * kinds.reduce((sum, [, weight]) => sum + weight, 0);
    const [kind] = kinds.find(([, weight]) => (left -= weight) < 0) ?? ["pay"];
    if (kind === "fault") {
      const house = this.#random.pick([this.psp, this.efi, this.pagarme]) ?? this.psp;
      house.faultOnce(this.#random.pick(FAULTS) ?? "reset");
      return this.#count(kind);
    }
    if (this.#happens(kind)) this.#count(kind);
  }

  /** Whether the bank or the house has the money of a charge, so that it can give it back. */
  hasCredited(transactionId: string): boolean {
    const code = providerChargeId(transactionId);
    const pix = this.psp.book.cobs.get(code);
    if (pix !== undefined) return pix.status === "CONCLUIDA";
    const atEfi = this.efi.book.charges.find(({ custom_id: id }) => id === code);
    return atEfi === undefined || atEfi.status === "paid";
  }

  /** Ends everything that is in progress, without further faults. */
  settleAll(): void {
    for (const house of [this.psp, this.efi, this.pagarme]) house.clearFaults();
    this.pagarme.clearLies();
    endAll(this, [true]);
    while (this.#endPixRefund(true)) this.#count("endPixRefund");
  }

  /** Posts what the houses have to tell: lost, doubled, late or in another order. */
  async postNotices(): Promise<void> {
    const now = Date.now();
    for (const notice of this.#takeNotices()) {
      if (this.#random.chance(LOST)) {
        this.#count("notice lost");
        continue;
      }
      const times = this.#random.chance(DOUBLED) ? 2 : 1;
      for (let time = 0; time < times; time++) {
        const late = this.#random.chance(LATE) ? this.#random.int(1, LATE_MAX_MS) : 0;
        if (late > 0) this.#count("notice late");
        this.#pending.push({ ...notice, at: now + late });
      }
    }
    const due = this.#pending.filter(({ at }) => at <= now);
    this.#pending = this.#pending.filter(({ at }) => at > now);
    for (const notice of due) await this.#post(notice);
  }

  async #post(notice: Notice): Promise<void> {
    const { url, type, body } = notice;
    const sent = { method: "POST", headers: { "Content-Type": type }, body };
    const answer = await fetch(url, sent).catch(() => null);
    if (answer?.ok === true) this.#count("notice told");
    else if (this.#random.chance(LOST)) this.#count("notice lost");
    else this.#pending.push({ ...notice, at: Date.now() + LATE_MAX_MS });
  }

  /** One for each of Efí's five equal ones. */
  #takeNotices(): Omit<Notice, "at">[] {
    const ofEfi = new Map(this.efi.book.notices.splice(0).map((each) => [each.token, each.url]));
    const [pixUrl] = this.psp.book.webhooks.values();
    const json = "application/json";
    return [
      ...this.psp.callbacks.splice(0).flatMap((body) => {
        const told = { type: json, body: JSON.stringify(body) };
        return pixUrl === undefined ? [] : [{ ...told, url: `${pixUrl}/pix` }];
      }),
      ...[...ofEfi].map(([token, url]) => ({
        url,
        type: "application/x-www-form-urlencoded",
        body: `notification=${token}`,
      })),
      ...this.pagarme.notices.splice(0).map((notice) => ({
        url: this.pagarMeUrl,
        type: json,
        body: JSON.stringify(notice),
      })),
    ];
  }

  /** Lets something happen where it can; answers whether it could. */
  #happens(kind: Exclude<Happening, "fault">): boolean {
    if (kind === "waitingRefund") {
      this.pagarme.lieOnce("refund_waits");
      return true;
    }
    if (kind === "payPix") return this.#payPix();
    if (kind === "endPixRefund") return this.#endPixRefund(this.#random.chance(0.75));
    return actAtHouses(this, this.#act(kind));
  }

  #payPix(): boolean {
    const open = [...this.psp.book.cobs].filter(([, { status }]) => status === "ATIVA");
    const [txid] = this.#random.pick(open) ?? [];
    if (txid !== undefined) this.psp.pay(txid);
    return txid !== undefined;
  }

  #endPixRefund(isDone: boolean): boolean {
    const open = this.psp.book.received.flatMap(({ endToEndId, devolucoes }) =>
      devolucoes
        .filter(({ status }) => status === "EM_PROCESSAMENTO")
        .map(({ id }) => ({ endToEndId, id: String(id) })),
    );
    const refund = this.#random.pick(open);
    if (refund === undefined) return false;
    const { endToEndId, id } = refund;
    if (isDone) this.psp.settleDevolucao(endToEndId, id, "DEVOLVIDO");
    else this.psp.settleDevolucao(endToEndId, id, "NAO_REALIZADO", "Recusada");
    return true;
  }

  #act(kind: "pay" | "credit" | "endRefund" | "decide" | "contest" | "endContest"): HouseAct {
    const which = this.#random.int(0, WHICH_MAX);
    switch (kind) {
      case "pay":
        return { do: "pay", which, other: null, byPix: this.#random.chance(0.5) };
      case "decide":
        return { do: "decide", which, approved: this.#random.chance(0.7) };
      case "endContest":
        return { do: "endContest", which, won: this.#random.chance(0.5) };
      case "credit":
      case "contest":
      case "endRefund":
        return { do: kind, which };
    }
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }
}
