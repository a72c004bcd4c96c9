import { PSP_KEY, type ReceivedPix } from "../../support/fakes/fake-psp/book.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import type { Random } from "../lib/random.ts";

/** The newest minute is not listed: a clock that is behind still lists every event once. */
const VIEW_LAG_MS = 2 * 60_000;
/** Probabilities of lost, duplicated and late callbacks. */
const LOST = 0.25;
const DOUBLED = 0.15;
const LATE = 0.2;
const LATE_MAX_MS = 8_000;
/** Until the end the bank says nothing of refunds and payouts whose amount ends so: operators may decide. */
const SILENT_DIGIT = 8;
const FAULTS = ["error_500", "reset", "unavailable", "malformed"] as const;

/** Weights of the actions. An action without an object does nothing. */
const WEIGHTS = {
  pay: 30,
  payAgain: 2,
  payToTheKey: 3,
  askBack: 4,
  endRefund: 20,
  giveBackByHand: 3,
  endPayout: 15,
  returnPayout: 3,
  fault: 3,
} as const;
type BankAction = keyof typeof WEIGHTS;

/** A live company's account: its PSP, its payers and other banks, driven by a seed. */
export class LiveBank {
  readonly psp: FakePsp;
  readonly key: string;
  /** Counts of actions by kind and of callbacks by fate. */
  readonly tally = new Map<string, number>();
  readonly #random: Random;
  #isSilent = true;
  readonly #delayedCallbacks: { body: string; at: number }[] = [];

  constructor(random: Random, key = PSP_KEY) {
    this.#random = random;
    this.key = key;
    this.psp = new FakePsp({ now: () => Date.now() - VIEW_LAG_MS }, key);
  }

  /** One action of payers, other banks or the network. */
  doRandomAction(): void {
    const kinds = Object.entries(WEIGHTS) as [BankAction, number][];
    let left = this.#random.next() * kinds.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [kind, weight] of kinds) {
      left -= weight;
      if (left >= 0) continue;
      if (this.#actions[kind]()) this.#count(kind);
      return;
    }
  }

  /** Ends everything that is in progress at the bank, without further faults. */
  settleAll(): void {
    this.psp.clearFaults();
    this.#isSilent = false;
    while (this.#actions.endRefund()) this.#count("endRefund");
    while (this.#actions.endPayout()) this.#count("endPayout");
  }

  /**
   * Delivers the pending callbacks to the service at `base`: lost, duplicated, late or reordered.
   */
  async postCallbacks(serviceUrl: string): Promise<void> {
    const now = Date.now();
    for (const body of this.psp.callbacks.splice(0)) {
      const text = JSON.stringify(body);
      if (this.#random.chance(LOST)) {
        this.#count("callback lost");
        continue;
      }
      const times = this.#random.chance(DOUBLED) ? 2 : 1;
      if (times === 2) this.#count("callback doubled");
      for (let time = 0; time < times; time++) {
        const isLate = this.#random.chance(LATE);
        if (isLate) this.#count("callback late");
        this.#delayedCallbacks.push({
          body: text,
          at: now + (isLate ? this.#random.int(1, LATE_MAX_MS) : 0),
        });
      }
    }
    const due = this.#delayedCallbacks.filter(({ at }) => at <= now);
    for (const callback of due) {
      this.#delayedCallbacks.splice(this.#delayedCallbacks.indexOf(callback), 1);
      await this.#post(serviceUrl, callback.body);
    }
  }

  /** A PSP mostly repeats a callback without a 2xx response. */
  async #post(base: string, body: string): Promise<void> {
    const [url] = this.psp.book.webhooks.values();
    if (url === undefined) return;
    const path = new URL(url).pathname;
    const answer = await fetch(`${base}${path}/pix`, { method: "POST", body }).catch(() => null);
    if (answer?.ok === true) this.#count("callback told");
    else if (this.#random.chance(LOST)) this.#count("callback lost");
    else this.#delayedCallbacks.push({ body, at: Date.now() + LATE_MAX_MS });
  }

  readonly #actions: Record<BankAction, () => boolean> = {
    pay: () => {
      const open = [...this.psp.book.cobs].filter(([, cob]) => cob.status === "ATIVA");
      const [txid, cob] = this.#random.pick(open) ?? [];
      if (txid === undefined || cob === undefined) return false;
      if (cob.kind === "cobv") this.#count("pay with a due date");
      const asked = centsOf(cob.requestBody.valor.original as string);
      const isOther = this.#random.chance(0.05);
      this.psp.pay(txid, isOther ? valorOf(asked + this.#random.int(1, 500)) : undefined);
      return true;
    },
    payAgain: () => {
      const paid = [...this.psp.book.cobs].filter(([, cob]) => cob.status === "CONCLUIDA");
      const [txid] = this.#random.pick(paid) ?? [];
      if (txid === undefined) return false;
      this.psp.pay(txid);
      return true;
    },
    payToTheKey: () => {
      this.psp.payKey(valorOf(this.#random.int(100, 9_000)), this.key);
      return true;
    },
    askBack: () => {
      const pix = this.#random.pick(this.psp.book.received);
      const left = pix === undefined ? 0 : refundableAmount(pix);
      if (pix === undefined || left === 0) return false;
      const amount = this.#random.chance(0.5) ? left : this.#random.int(1, left);
      this.psp.dispute(pix.endToEndId, valorOf(amount));
      return true;
    },
    endRefund: () => {
      const open = this.psp.book.received.flatMap((pix) =>
        pix.devolucoes
          .filter(({ status }) => status === "EM_PROCESSAMENTO")
          .filter(({ valor }) => this.#decides(String(valor)))
          .map(({ id }) => ({ endToEndId: pix.endToEndId, id: String(id) })),
      );
      const refund = this.#random.pick(open);
      if (refund === undefined) return false;
      const done = this.#random.chance(0.75);
      if (done) this.psp.settleDevolucao(refund.endToEndId, refund.id, "DEVOLVIDO");
      else this.psp.settleDevolucao(refund.endToEndId, refund.id, "NAO_REALIZADO", "Recusada");
      return true;
    },
    giveBackByHand: () => {
      const pix = this.#random.pick(this.psp.book.received);
      const left = pix === undefined ? 0 : refundableAmount(pix);
      if (pix === undefined || left === 0) return false;
      this.psp.refundExternally(pix.endToEndId, valorOf(this.#random.int(1, left)));
      return true;
    },
    endPayout: () => {
      const open = this.#payouts("EM_PROCESSAMENTO");
      const [idEnvio] = this.#random.pick(open.filter(([, one]) => this.#decides(one.valor))) ?? [];
      if (idEnvio === undefined) return false;
      if (this.#random.chance(0.8)) this.psp.settlePayout(idEnvio, "REALIZADO");
      else this.psp.settlePayout(idEnvio, "NAO_REALIZADO", "Conta encerrada");
      return true;
    },
    returnPayout: () => {
      const paid = this.#payouts("REALIZADO").filter(
        ([, { devolucoes }]) => devolucoes.length === 0,
      );
      const [idEnvio, payout] = this.#random.pick(paid) ?? [];
      if (idEnvio === undefined || payout === undefined) return false;
      const amount = centsOf(payout.valor);
      const part = this.#random.int(1, amount);
      this.psp.returnPayout(idEnvio, valorOf(this.#random.chance(0.5) ? part : amount));
      return true;
    },
    fault: () => {
      this.psp.faultOnce(this.#random.pick(FAULTS) ?? "reset");
      return true;
    },
  };

  /** Whether the bank ends something of this amount by now. */
  #decides(valor: string): boolean {
    return !this.#isSilent || !isSilentAbout(centsOf(valor));
  }

  #payouts(status: string) {
    return [...this.psp.book.envios].filter(([, envio]) => envio.status === status);
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }
}

/** Whether the bank says nothing of a refund or payout of this amount until the end. */
export function isSilentAbout(cents: number): boolean {
  return cents % 10 === SILENT_DIGIT;
}

/** The amount of that size of which the bank says nothing until the end. */
export function silentAmount(cents: number): number {
  return cents - (cents % 10) + SILENT_DIGIT;
}

/** Centavos of an amount in the API's format `12.34`. */
export function centsOf(valor: string): number {
  return Number(valor.replace(".", ""));
}

function valorOf(amount: number): string {
  return (amount / 100).toFixed(2);
}

/** The refundable amount of a payment. */
function refundableAmount({ valor, devolucoes }: ReceivedPix): number {
  return devolucoes
    .filter(({ status }) => status !== "NAO_REALIZADO")
    .reduce((left, devolucao) => left - centsOf(String(devolucao.valor)), centsOf(valor));
}
