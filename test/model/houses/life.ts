import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../src/domain/shared/ids.ts";
import { providerChargeId } from "../../../src/domain/charges/transaction.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { givenCompany, inAccount } from "../../support/builders/companies/company.ts";
import {
  accountsOf,
  connectAccount,
  patchAccount,
} from "../../support/builders/providers/accounts.ts";
import { postCallback, type LiveWorld } from "../../support/builders/providers/psp.ts";
import { call } from "../../support/builders/requests/api.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { FakeEfi } from "../../support/fakes/efi-cobrancas/efi.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { FakePagarMe } from "../../support/fakes/pagarme/house.ts";
import { Background } from "../agreement/background.ts";
import {
  ACCOUNTS,
  accountsAt,
  EFI_SECRET,
  PAGARME_SECRET,
  isOfPix,
  routeOf,
  type AccountName,
  type RouteName,
} from "./accounts.ts";
import { closeHouse, inProcess, openHouse, type Death } from "./process.ts";

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

/** A charge that the company asked for; `id` null while no answer has named it. */
export interface Asked {
  id: string | null;
  method: "BOLETO" | "CREDIT_CARD" | "PIX";
  amount: number;
  key: string;
  body: Record<string, unknown>;
  /** Centavos of all refunds that were asked for, whatever their answer. */
  refundsAsked: number;
  /** The accounts that took new charges of its kind while it had no answer. */
  takers: Set<AccountName>;
}

/** What a charge is sold by. */
export interface Sale {
  method: Asked["method"];
  amount: number;
  capture: boolean;
  isDeclined: boolean;
}

/** A live company that sells boletos and cards at two houses, and PIX at two PSPs, which a test plays. */
export class HousesLife {
  readonly world: LiveWorld;
  readonly efi: FakeEfi;
  readonly pagarme: FakePagarMe;
  readonly psps: readonly [FakePsp, FakePsp];
  readonly asked: Asked[] = [];
  /** Processes that died. */
  deaths = 0;
  readonly #background: Background;
  readonly #hosts: Record<AccountName, string>;
  #ofHouses = routeOf("byAmount");
  #ofPix = routeOf("pixAtOneFirst");
  #pagarMeUrl = "";
  #orders = 0;

  private constructor(world: LiveWorld, name: string, pixKeys: readonly [string, string]) {
    const { clock } = world;
    this.world = world;
    this.efi = new FakeEfi(clock, { clientId: name, clientSecret: EFI_SECRET });
    this.pagarme = new FakePagarMe(clock, "psp", PAGARME_SECRET);
    this.psps = [new FakePsp(clock, pixKeys[0]), new FakePsp(clock, pixKeys[1])];
    const hosts = ACCOUNTS.map((each) => [each, `${each}-${name}.banco-de-teste.com.br`]);
    this.#hosts = Object.fromEntries(hosts) as Record<AccountName, string>;
    this.#background = new Background(world);
  }

  static async start(): Promise<HousesLife> {
    const clock = new TestClock();
    const company = await givenCompany({ mode: "live", clock });
    const name = newUuid(systemRandom);
    const pixKeys = [newUuid(systemRandom), newUuid(systemRandom)] as const;
    let life: HousesLife | null = null;
    await inProcess({ company, clock } as LiveWorld, null, async (world) => {
      life = new HousesLife(world, name, pixKeys);
      await life.#connect(name, pixKeys);
    });
    return life!;
  }

  /** Asks for a charge. */
  async sell({ method, amount, capture, isDeclined }: Sale, death: Death | null): Promise<void> {
    const card = method === "CREDIT_CARD" ? this.#cardOf(amount, { capture, isDeclined }) : {};
    const asked: Asked = {
      id: null,
      method,
      amount,
      key: `tx_${this.asked.length}`,
      body: { amount, paymentMethod: method, ...PAYER, ...card },
      refundsAsked: 0,
      takers: new Set(),
    };
    this.asked.push(asked);
    await this.askAgain(asked, death);
  }

  /** Sends a create, or sends it again under its key. */
  async askAgain(asked: Asked, death: Death | null): Promise<void> {
    this.#noteTakers(asked);
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
    if (act === "refund") asked.refundsAsked += amount ?? (await this.#paidAmountOf(asked));
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

  /** An operator has new charges go elsewhere; those that are open stay where they are. */
  async changeHouse(name: RouteName): Promise<void> {
    const route = routeOf(name);
    if (isOfPix(route)) this.#ofPix = route;
    else this.#ofHouses = route;
    // One without an answer may still be sent to another account that takes it.
    for (const asked of this.asked) if (asked.id === null) this.#noteTakers(asked);
    await this.#act(null, async ({ company, ...options }) => {
      for (const [account, change] of Object.entries(route.terms)) {
        const body = { state: "active", ...change };
        const { status, text } = await patchAccount(company, account, body, { options });
        if (status !== 200) throw new Error(`changing ${account} answered ${status}: ${text}`);
      }
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

  /** Posts a notice of a PSP's. */
  async tellOfPsp({ book }: FakePsp, notice: unknown): Promise<void> {
    const [url] = book.webhooks.values();
    await this.#act(null, async (options) => {
      await postCallback({ options }, `${url}/pix`, JSON.stringify(notice));
    });
  }

  runBackgroundWork(death: Death | null = null): Promise<void> {
    return this.#act(death, (world) => this.#background.run(world));
  }

  advanceDays(ms: number): Promise<void> {
    return this.#background.advanceDays(ms);
  }

  async cleanUp(): Promise<void> {
    for (const host of Object.values(this.#hosts)) closeHouse(host);
    await this.#background.cleanUp();
  }

  /** The charge's id at its house; null while no answer has named it. */
  chargeIdOf({ id }: Asked): string | null {
    return id === null ? null : providerChargeId(id);
  }

  /** What was credited of a charge, which a payer may have paid otherwise than asked: a whole refund gives back that. */
  async #paidAmountOf({ id, amount }: Asked): Promise<number> {
    const rows = await inAccount(this.world.company.id, (_, { storage }) =>
      storage.sql
        .exec<{ paid: number }>(
          "SELECT paid_amount AS paid FROM charges WHERE transaction_id = ?",
          id,
        )
        .toArray(),
    );
    return Math.max(amount, rows[0]?.paid ?? 0);
  }

  async #act(death: Death | null, work: (world: LiveWorld) => Promise<unknown>): Promise<void> {
    const hasLived = await inProcess(this.world, death, work);
    if (hasLived) return;
    this.deaths += 1;
    this.world.clock.advance(AFTER_DEATH_MS);
  }

  async #connect(name: string, pixKeys: readonly [string, string]): Promise<void> {
    const { company } = this.world;
    const hosts = this.#hosts;
    openHouse(hosts.efi, this.efi.fetch);
    openHouse(hosts.pagarme, (request) => {
      const { pathname, search } = new URL(request.url);
      return this.pagarme.answer(
        new Request(
          `https://${hosts.pagarme}${pathname.replace("/core/v5", "")}${search}`,
          request,
        ),
      );
    });
    openHouse(hosts["psp-one"], this.psps[0].fetch);
    openHouse(hosts["psp-two"], this.psps[1].fetch);
    const options = { options: this.world };
    for (const [account, body] of accountsAt(hosts, { name, pixKeys }))
      await connectAccount(company, account, body, options);
    const accounts = await accountsOf(company, options);
    this.#pagarMeUrl = accounts.find(({ account }) => account === "pagarme").callbackUrl;
    await this.#background.begin();
  }

  #noteTakers(asked: Asked): void {
    for (const account of this.#takersOf(asked)) asked.takers.add(account);
  }

  #takersOf(ordered: Pick<Asked, "method" | "amount">): AccountName[] {
    return (ordered.method === "PIX" ? this.#ofPix : this.#ofHouses).takers(ordered);
  }

  /** A card whose token the payer's browser made at the house that takes new ones. */
  #cardOf(amount: number, { capture, isDeclined }: Pick<Sale, "capture" | "isDeclined">) {
    const [account] = this.#takersOf({ method: "CREDIT_CARD", amount });
    const token = account === "efi" ? efiToken(isDeclined) : this.#pagarMeToken(isDeclined);
    // Efí takes the money of a card at once.
    return { card: { token, account, capture: capture || account === "efi" } };
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
