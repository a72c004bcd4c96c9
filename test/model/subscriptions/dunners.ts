import { transactionOfCharge } from "../../../src/domain/charges/transaction.ts";
import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../src/domain/shared/ids.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import {
  accountsOf,
  connectAccount,
  efiAccount,
  pagarmeAccount,
} from "../../support/builders/providers/accounts.ts";
import type { LiveWorld } from "../../support/builders/providers/psp.ts";
import type { EfiCharge } from "../../support/fakes/efi-cobrancas/book.ts";
import { FakeEfi } from "../../support/fakes/efi-cobrancas/efi.ts";
import { moneyAtEfi, moneyAtPagarMe } from "../../support/fakes/house-money.ts";
import { FakePagarMe } from "../../support/fakes/pagarme/house.ts";
import { pick } from "../agreement/pick.ts";
import { EFI_SECRET, PAGARME_SECRET } from "../houses/accounts.ts";
import { closeHouse, openHouse } from "../houses/process.ts";
import { dayAt, plusDays, settlesOn, timeOf } from "./calendar.ts";

export const PAYER = {
  name: "Maria da Conceição",
  email: "maria@example.com",
  document: { number: "12345678909" },
};
/** Banks tell of a boleto at this hour of the business day after its payment. */
const TOLD_HOUR = 20;
/** What an issuer says of the next charges of a card: yes, not now, never. */
const ISSUERS = { approves: null, declines: { code: "51" }, forbids: { code: "14" } } as const;
export const ISSUER_WORDS = Object.keys(ISSUERS) as (keyof typeof ISSUERS)[];
export const HOUSE_FAULTS = ["reset", "error_500", "unavailable"] as const;

/** What payers, issuers and faults do at the houses of a dunning. Numbers select an item modulo the number of items. */
export type HouseAct =
  | { do: "payBoleto"; which: number }
  | { do: "issuer"; says: keyof typeof ISSUERS }
  | { do: "houseFault"; name: (typeof HOUSE_FAULTS)[number]; times: number };

const ACTS = new Set(["payBoleto", "issuer", "houseFault"]);

export function isHouseAct(step: { do: string }): step is HouseAct {
  return ACTS.has(step.do);
}

/** A notice that a house posts. */
export interface HouseNotice {
  url: string;
  body: string | URLSearchParams;
}

/** Where a company's payers are dunned beside their PSP: boletos at Efí, a saved card at Pagar.me. */
export class DunningHouses {
  readonly efi: FakeEfi;
  readonly pagarme: FakePagarMe;
  savedCardId = "";
  readonly #world: LiveWorld;
  readonly #name = newUuid(systemRandom);
  /** Boletos that were paid at a bank, when (epoch milliseconds), and when it tells. */
  readonly #paid = new Map<string, { at: number; toldAt: number; isTold: boolean }>();
  #pagarMeUrl = "";

  constructor(world: LiveWorld) {
    this.#world = world;
    this.efi = new FakeEfi(world.clock, { clientId: this.#name, clientSecret: EFI_SECRET });
    this.pagarme = new FakePagarMe(world.clock, "psp", PAGARME_SECRET);
  }

  /** Connects both, and has the payer save a card. */
  async connect({ company, ...options }: LiveWorld): Promise<void> {
    const hosts = this.#hosts;
    openHouse(hosts.efi, this.efi.fetch);
    openHouse(hosts.pagarme, (request) => {
      const { pathname, search } = new URL(request.url);
      const path = `${pathname.replace("/core/v5", "")}${search}`;
      return this.pagarme.answer(new Request(`https://${hosts.pagarme}${path}`, request));
    });
    const atEfi = { baseUrl: `https://${hosts.efi}`, clientId: this.#name, payeeCode: this.#name };
    const atPagarMe = {
      baseUrl: `https://${hosts.pagarme}/core/v5`,
      publicKey: `pk_${this.#name}`,
    };
    const world = { options: { ...options, company } };
    await connectAccount(company, "efi", efiAccount(atEfi, { priority: 2 }), world);
    const account = pagarmeAccount(atPagarMe, { priority: 3 });
    const secrets = { secretKey: PAGARME_SECRET };
    await connectAccount(company, "pagarme", { ...account, secrets }, world);
    const accounts = await accountsOf(company, world);
    this.#pagarMeUrl = accounts.find((each) => each.account === "pagarme").callbackUrl;
    const token = this.pagarme.book.tokenize({
      number: "4242424242424242",
      holderName: "MARIA",
      expirationMonth: 12,
      expirationYear: 2035,
      cvv: "123",
    });
    const body = {
      amount: 1_000,
      paymentMethod: "CREDIT_CARD",
      customer: { ...PAYER, phone: "+55 11 98765-4321" },
      card: { token, account: "pagarme", saveCard: true },
    };
    const saved = await createTransaction(company, body, { ...options, key: "saves_a_card" });
    this.savedCardId = saved.body.data.card.savedCardId;
  }

  get #hosts() {
    return {
      efi: `efi-${this.#name}.banco-de-teste.com.br`,
      pagarme: `pagarme-${this.#name}.banco-de-teste.com.br`,
    };
  }

  close(): void {
    for (const host of Object.values(this.#hosts)) closeHouse(host);
  }

  /** Acts if there is something to act on. */
  act(step: HouseAct): void {
    switch (step.do) {
      case "payBoleto": {
        const payable = this.efi.book.charges.filter((charge) => this.#isPayable(charge));
        if (payable.length > 0) this.#payAtBank(pick(payable, step.which).custom_id ?? "");
        return;
      }
      case "issuer":
        this.pagarme.book.issuerSays = ISSUERS[step.says];
        return;
      case "houseFault":
        for (let time = 0; time < step.times; time++) {
          this.efi.faultOnce(step.name === "unavailable" ? "error_500" : step.name);
          this.pagarme.faultOnce(step.name);
        }
    }
  }

  /** A bank takes a boleto until its due date, or the first business day after it. */
  #isPayable({ status, custom_id: id, payment }: EfiCharge): boolean {
    const day: string | undefined = payment?.banking_billet?.expire_at;
    if (status !== "waiting" || day === undefined || id === null || this.#paid.has(id))
      return false;
    return dayAt(this.#world.clock.now()) <= settlesOn(day, "");
  }

  #payAtBank(id: string): void {
    const at = this.#world.clock.now();
    const toldOn = settlesOn(plusDays(settlesOn(dayAt(at), ""), 1), "");
    this.#paid.set(id, { at, toldAt: timeOf(toldOn, TOLD_HOUR), isTold: false });
  }

  /** Banks tell Efí of what was paid before. */
  runBanks(): void {
    const now = this.#world.clock.now();
    for (const [id, paid] of this.#paid) {
      if (paid.isTold || paid.toldAt > now) continue;
      paid.isTold = true;
      this.efi.pay(id);
    }
  }

  /** Nothing fails any more, and no notice is sent. */
  calm(): void {
    this.efi.clearFaults();
    this.pagarme.clearFaults();
    this.pagarme.book.issuerSays = null;
    this.takeNotices();
  }

  /** The pending notices. Efí posts equal ones. */
  takeNotices(): HouseNotice[] {
    const { notices } = this.efi.book;
    const ofEfi = [...new Map(notices.splice(0).map((each) => [each.token, each])).values()];
    return [
      ...ofEfi.map(({ url, token }) => ({
        url,
        body: new URLSearchParams({ notification: token }),
      })),
      ...this.pagarme.notices
        .splice(0)
        .map((notice) => ({ url: this.#pagarMeUrl, body: JSON.stringify(notice) })),
    ];
  }

  /** Centavos of each of our charges that the houses have. */
  money(): Map<string, number> {
    const money = new Map<string, number>();
    for (const [chargeId, amount] of [
      ...moneyAtEfi(this.efi.book),
      ...moneyAtPagarMe(this.pagarme.book),
    ]) {
      const { id } = transactionOfCharge(chargeId)!;
      money.set(id, (money.get(id) ?? 0) + amount);
    }
    return money;
  }

  /** Our charges that the saved card has paid, once for each time. */
  cardsPaid(): string[] {
    return this.pagarme.book.orders
      .filter(({ charges: [charge] }) => charge.status === "paid")
      .map(({ code }) => transactionOfCharge(code)!.id);
  }

  /** Our boletos that a bank has taken the money of, whether or not it has told. */
  boletosPaid(): string[] {
    return [...this.#paid.keys()].map((chargeId) => transactionOfCharge(chargeId)!.id);
  }
}
