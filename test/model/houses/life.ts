import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../src/domain/shared/ids.ts";
import { providerChargeId } from "../../../src/domain/charges/transaction.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import {
  accountsOf,
  connectAccount,
  efiAccount,
  pagarmeAccount,
} from "../../support/builders/providers/accounts.ts";
import { postCallback, type LiveWorld } from "../../support/builders/providers/psp.ts";
import { call } from "../../support/builders/requests/api.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { FakeEfi } from "../../support/fakes/efi-cobrancas/efi.ts";
import { FakePagarMe } from "../../support/fakes/pagarme/house.ts";
import { Background } from "../agreement/background.ts";
import { closeHouse, inProcess, openHouse, type Death } from "./process.ts";

/** Charges up to this amount are at Efí, beyond it at Pagar.me. */
export const EFI_AMOUNT_TO = 30_000;
const EFI_SECRET = "efi-s3cret";
const PAGARME_SECRET = "sk_0123456789abcdef";
/** A dead process leaves leases behind that end by then. */
const AFTER_DEATH_MS = 2 * 60_000;
/** With all that both houses ask of a payer. */
const PAYER = {
  customer: {
    name: "Maria da Conceição",
    email: "maria@example.com",
    phone: "+55 11 98765-4321",
    document: { number: "12345678909" },
  },
  shipping: {
    address: {
      street: "Rua Um",
      streetNumber: "1",
      neighborhood: "Centro",
      zipCode: "01310100",
      city: "São Paulo",
      state: "SP",
    },
  },
};

type House = "efi" | "pagarme";

/** A charge that the company asked for; `id` null while no answer has named it. */
export interface Asked {
  id: string | null;
  house: House;
  method: "BOLETO" | "CREDIT_CARD";
  amount: number;
  key: string;
  body: Record<string, unknown>;
  /** Centavos of all refunds that were asked for, whatever their answer. */
  refundsAsked: number;
}

/** What a charge is sold by. */
export interface Sale {
  method: Asked["method"];
  amount: number;
  capture: boolean;
  isDeclined: boolean;
}

/** A live company that sells boletos and cards at two houses, which a test plays. */
export class HousesLife {
  readonly world: LiveWorld;
  readonly efi: FakeEfi;
  readonly pagarme: FakePagarMe;
  readonly asked: Asked[] = [];
  /** Processes that died. */
  deaths = 0;
  readonly #background: Background;
  readonly #hosts: string[];
  #pagarMeUrl = "";
  #orders = 0;

  private constructor(world: LiveWorld, efi: FakeEfi, hosts: string[]) {
    this.world = world;
    this.efi = efi;
    this.pagarme = new FakePagarMe(world.clock, "psp", PAGARME_SECRET);
    this.#hosts = hosts;
    this.#background = new Background(world);
  }

  static async start(): Promise<HousesLife> {
    const clock = new TestClock();
    const company = await givenCompany({ mode: "live", clock });
    const name = newUuid(systemRandom);
    const hosts = [`efi-${name}.banco-de-teste.com.br`, `pagarme-${name}.banco-de-teste.com.br`];
    const efi = new FakeEfi(clock, { clientId: name, clientSecret: EFI_SECRET });
    let life: HousesLife | null = null;
    await inProcess({ company, clock } as LiveWorld, null, async (world) => {
      life = new HousesLife(world, efi, hosts);
      await life.#connect(name);
    });
    return life!;
  }

  /** Asks for a charge. */
  async sell({ method, amount, capture, isDeclined }: Sale, death: Death | null): Promise<void> {
    const house = amount <= EFI_AMOUNT_TO ? "efi" : "pagarme";
    const token = house === "efi" ? efiToken(isDeclined) : this.#pagarMeToken(isDeclined);
    // Efí takes the money of a card at once.
    const card = { token, account: house, capture: capture || house === "efi" };
    const asked: Asked = {
      id: null,
      house,
      method,
      amount,
      key: `tx_${this.asked.length}`,
      body: { amount, paymentMethod: method, ...PAYER, ...(method === "BOLETO" ? {} : { card }) },
      refundsAsked: 0,
    };
    this.asked.push(asked);
    await this.askAgain(asked, death);
  }

  /** Sends a create, or sends it again under its key. */
  async askAgain(asked: Asked, death: Death | null): Promise<void> {
    await this.#act(death, async ({ company, ...options }) => {
      const answer = await createTransaction(company, asked.body, { ...options, key: asked.key });
      if (answer.status === 200) asked.id = answer.body.data.id;
    });
  }

  /** Orders `refund`, `capture` or `cancel` of a charge, of all of it where there is no amount. */
  async order(
    act: "refund" | "capture" | "cancel",
    asked: Asked,
    { amount, death }: { amount: number | null; death: Death | null },
  ): Promise<void> {
    this.#orders += 1;
    const headers = { "Idempotency-Key": `${act}_${this.#orders}` };
    if (act === "refund") asked.refundsAsked += amount ?? asked.amount;
    await this.#act(death, async ({ company, ...options }) => {
      await call(`/api/v1/transactions/${asked.id}/${act}`, {
        ...options,
        company,
        method: "POST",
        headers,
        ...(amount === null ? {} : { body: { amount } }),
      });
    });
  }

  /** Posts a notice of Efí's about one charge. */
  async tellOfEfi({ url, token }: { url: string; token: string }): Promise<void> {
    const body = new URLSearchParams({ notification: token });
    await this.#act(null, async (options) => {
      await postCallback({ options }, url, body);
    });
  }

  /** Posts a notice of Pagar.me's. */
  async tellOfPagarMe(notice: object): Promise<void> {
    await this.#act(null, async (options) => {
      await postCallback({ options }, this.#pagarMeUrl, JSON.stringify(notice));
    });
  }

  runBackgroundWork(death: Death | null = null): Promise<void> {
    return this.#act(death, (world) => this.#background.run(world));
  }

  advanceDays(ms: number): Promise<void> {
    return this.#background.advanceDays(ms);
  }

  async cleanUp(): Promise<void> {
    for (const host of this.#hosts) closeHouse(host);
    await this.#background.cleanUp();
  }

  /** The charge's id at its house; null while no answer has named it. */
  chargeIdOf({ id }: Asked): string | null {
    return id === null ? null : providerChargeId(id);
  }

  async #act(death: Death | null, work: (world: LiveWorld) => Promise<unknown>): Promise<void> {
    const hasLived = await inProcess(this.world, death, work);
    if (hasLived) return;
    this.deaths += 1;
    this.world.clock.advance(AFTER_DEATH_MS);
  }

  async #connect(name: string): Promise<void> {
    const { company } = this.world;
    const [efiHost = "", pagarMeHost = ""] = this.#hosts;
    openHouse(efiHost, this.efi.fetch);
    openHouse(pagarMeHost, (request) => {
      const { pathname, search } = new URL(request.url);
      return this.pagarme.answer(
        new Request(`https://${pagarMeHost}${pathname.replace("/core/v5", "")}${search}`, request),
      );
    });
    const both = { methods: ["BOLETO", "CREDIT_CARD"] };
    const efi = efiAccount(
      { baseUrl: `https://${efiHost}`, clientId: name, payeeCode: name },
      { ...both, conditions: { amountTo: EFI_AMOUNT_TO } },
    );
    const pagarme = pagarmeAccount(
      { baseUrl: `https://${pagarMeHost}/core/v5`, publicKey: `pk_${name}` },
      { ...both, priority: 2, conditions: { amountFrom: EFI_AMOUNT_TO + 1 } },
    );
    const options = { options: this.world };
    await connectAccount(company, "efi", efi, options);
    const secrets = { secretKey: PAGARME_SECRET };
    await connectAccount(company, "pagarme", { ...pagarme, secrets }, options);
    const accounts = await accountsOf(company, options);
    this.#pagarMeUrl = accounts.find(({ account }) => account === "pagarme").callbackUrl;
    await this.#background.begin();
  }

  #pagarMeToken(isDeclined: boolean): string {
    return this.pagarme.book.tokenize({
      number: "4242424242424242",
      holderName: "MARIA",
      expirationMonth: 12,
      expirationYear: 2035,
      cvv: isDeclined ? "612" : "123",
    });
  }
}

/** One that begins with `d` is declined by the fake. */
function efiToken(isDeclined: boolean): string {
  const rest = newUuid(systemRandom).replaceAll("-", "").repeat(2);
  return `${isDeclined ? "d" : "a"}${rest}`.slice(0, 40);
}
