import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { companySql, type NewCompany } from "../../../tools/lib/company-sql.ts";
import { LOCAL_SECRETS_KEY } from "../../../src/lib/local-key.ts";
import { Merchant, type MerchantAnswer } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { callersAt, type Callers } from "../../kill/lib/callers.ts";
import { directoryIn } from "../../kill/lib/database.ts";
import { EFI_CLIENT, FakeEfi } from "../../support/fakes/efi-cobrancas/efi.ts";
import { PSP_KEY, PSP_RECEIVER } from "../../support/fakes/fake-psp/book.ts";
import { FakePsp, PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { FakePagarMe, SECRET_KEY } from "../../support/fakes/pagarme/house.ts";
import { givenStateDir } from "../state-dir.ts";
import { servePsp, type Served } from "../pix-api/server.ts";

/** After the two local companies. */
const COMPANY_ID = 3;
const LIVE: NewCompany = {
  name: "Loja de Verdade",
  mode: "live",
  providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0afd",
  clientId: "app_live_houses",
  apiKey: "sk_live_houses",
  webhookSecret: "whsec_bG9jYWwtbG9qYS1leGVtcGxvLXNlY3JldA==",
  mainPixKey: { type: "CNPJ", value: "11222333000181" },
  bankDocument: "11222333000181",
  duplicateWithdrawGuard: false,
};
/** With all that the houses ask of a payer. */
const PAYER = {
  customer: {
    name: "Maria da Silva",
    email: "maria@example.com",
    phone: "+55 11 98765-4321",
    document: { type: "CPF", number: "52998224725" },
  },
  shipping: {
    address: {
      street: "Rua Augusta",
      streetNumber: "1500",
      neighborhood: "Consolação",
      zipCode: "01305-100",
      city: "São Paulo",
      state: "SP",
    },
  },
};
const CARD = {
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2035,
};
const REASON = "The contract is signed.";
const SUBSCRIPTIONS = "/api/v1/subscriptions";
const OTHER_IDS_FROM = 1_000;
const OTHER_KEY = "loja@example.com";
/** The centavos up to which a card is charged at Pagar.me, beyond them at Efí. */
export const PAGARME_AMOUNT_TO = 50_000;
/** Notices, queues and crons answer before they are done: seconds, and more on a busy machine. */
const ANSWER_LIMIT_MS = 120_000;
const POLL_MS = 50;

/** A live company of the real service, with a PSP and two houses behind real HTTP. */
export class LiveShop {
  readonly psp = new FakePsp();
  /** Another bank, which `openOtherPsp` connects. */
  readonly otherPsp = new FakePsp(undefined, OTHER_KEY);
  readonly efi = new FakeEfi();
  readonly pagarme = new FakePagarMe();
  readonly merchant: Merchant;
  readonly callers: Callers;
  readonly companyId = COMPANY_ID;
  readonly #service: Service;
  readonly #stateDir: string;
  readonly #served: Served[] = [];
  /** Where Pagar.me posts, as it is typed into its dashboard. */
  #pagarMeUrl = "";
  #keys = 0;

  private constructor(service: Service, stateDir: string) {
    this.#service = service;
    this.#stateDir = stateDir;
    this.merchant = new Merchant(service.base, { companyId: COMPANY_ID, ...LIVE });
    const { merchants, others } = callersAt(service.base);
    this.callers = { merchants: [...merchants, this.merchant], others };
  }

  /** `before`: serves what stands before the PSP's Pix API, by the PSP's address. */
  static async open(before?: (url: string) => Promise<Served>): Promise<LiveShop> {
    const stateDir = await givenStateDir("houses");
    const database = new DatabaseSync(directoryIn(stateDir));
    database.exec(await companySql(LIVE, [LOCAL_SECRETS_KEY], Date.now()));
    database.close();
    const shop = new LiveShop(await startService({ stateDir }), stateDir);
    try {
      await shop.#connectHouses(before);
    } catch (error) {
      await shop.close();
      throw error;
    }
    return shop;
  }

  async close(): Promise<void> {
    await this.#service.stop();
    await Promise.all(this.#served.map((served) => served.close()));
    rmSync(this.#stateDir, { recursive: true, force: true });
  }

  /** Sells; answers the charge as its merchant sees it. */
  async sell(paymentMethod: string, amount: number, more: object = {}): Promise<any> {
    const body = { amount, paymentMethod, ...PAYER, ...more };
    return dataOf(await this.merchant.create(body, `tx_${++this.#keys}`));
  }

  /** Sells by a card that the payer's browser made a token of. */
  sellByCard(amount: number, card: { token: string; account: string; capture?: boolean }) {
    return this.sell("CREDIT_CARD", amount, { card });
  }

  /** Orders `refund`, `capture` or `cancel` of a charge; answers the charge. */
  async order(act: "refund" | "capture" | "cancel", id: string, amount?: number): Promise<any> {
    const key = { "Idempotency-Key": `${act}_${++this.#keys}` };
    const body = amount === undefined ? undefined : { amount };
    return dataOf(await this.merchant.call("POST", `/api/v1/transactions/${id}/${act}`, body, key));
  }

  /** Sells a subscription; answers it as its merchant sees it. */
  async subscribe(terms: object): Promise<any> {
    const key = { "Idempotency-Key": `sub_${++this.#keys}` };
    return dataOf(await this.merchant.call("POST", SUBSCRIPTIONS, terms, key));
  }

  async subscription(id: string): Promise<any> {
    return dataOf(await this.merchant.call("GET", `${SUBSCRIPTIONS}/${id}`));
  }

  /** The charges of a subscription, newest first. */
  async chargesOf(id: string): Promise<any[]> {
    return (await this.merchant.call("GET", `${SUBSCRIPTIONS}/${id}/charges`)).body.items;
  }

  /** Opens the cycle of a day, before its time; answers its charge. */
  async openCycle(id: string, dueDate: string): Promise<any> {
    const key = { "Idempotency-Key": `cycle_${++this.#keys}` };
    const path = `${SUBSCRIPTIONS}/${id}/charges`;
    return dataOf(await this.merchant.call("POST", path, { dueDate }, key));
  }

  async cancelSubscription(id: string): Promise<any> {
    return dataOf(await this.merchant.call("POST", `${SUBSCRIPTIONS}/${id}/cancel`));
  }

  async charge(id: string): Promise<any> {
    return dataOf(await this.merchant.call("GET", `/api/v1/transactions/${id}`));
  }

  pagarMeToken(cvv = "123"): string {
    return this.pagarme.book.tokenize({ ...CARD, cvv });
  }

  /** Of Efí; one that begins with `d` is declined. */
  efiToken(begins = "a"): string {
    return `${begins}${crypto.randomUUID().replaceAll("-", "").repeat(2)}`.slice(0, 40);
  }

  /** Posts what the PSPs and the houses have to tell: PSPs twice, the second time in reverse, Efí five times, Pagar.me twice. */
  async tell(): Promise<void> {
    for (const psp of [this.psp, this.otherPsp]) {
      await psp.deliverCallbacks(post, (bodies) => [...bodies, ...bodies.toReversed()]);
    }
    for (const { url, token } of this.efi.book.notices.splice(0)) {
      await fetch(url, { method: "POST", body: new URLSearchParams({ notification: token }) });
    }
    const headers = { "Content-Type": "application/json" };
    for (const notice of this.pagarme.notices.splice(0)) {
      const body = JSON.stringify(notice);
      for (let times = 0; times < 2; times++)
        await fetch(this.#pagarMeUrl, { method: "POST", headers, body });
    }
  }

  /** Tells, and runs the minute's cron, until what is read is as expected; answers what was read last. */
  async until<Value>(read: () => Promise<Value>, isRight: (value: Value) => boolean) {
    const deadline = Date.now() + ANSWER_LIMIT_MS;
    for (;;) {
      await this.tell();
      const value = await read();
      if (isRight(value) || Date.now() > deadline) return value;
      await fetch(`${this.#service.base}/cdn-cgi/local/scheduled`);
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
  }

  /** Waits for a status of a charge; answers the last one. */
  async status(id: string, expected: string): Promise<string> {
    const { status } = await this.until(
      () => this.charge(id),
      (charge) => charge.status === expected,
    );
    return status;
  }

  /** Changes which charges an account takes, or how: with two operators where it takes them. */
  async change(account: string, change: object): Promise<void> {
    await this.#operate("PATCH", account, change);
  }

  /** Connects the account at another bank, which takes PIX after the first one. */
  async openOtherPsp(): Promise<void> {
    // Two fakes would give equal ids within a minute.
    for (let id = 0; id < OTHER_IDS_FROM; id++) this.otherPsp.book.endToEndId();
    const served = await servePsp(this.otherPsp);
    this.#served.push(served);
    await this.#connect("psp-2", pixAccount({ url: served.url, pixKey: OTHER_KEY, priority: 2 }));
  }

  async #connect(account: string, body: object): Promise<void> {
    await this.#operate("PUT", account, body);
  }

  async #connectHouses(before?: (url: string) => Promise<Served>): Promise<void> {
    const [psp, efi, pagarme] = await Promise.all(
      [this.psp, this.efi, this.pagarme].map((house) => servePsp(house)),
    );
    if (psp === undefined || efi === undefined || pagarme === undefined) throw new Error("none");
    this.#served.push(psp, efi, pagarme);
    const front = await before?.(psp.url);
    if (front !== undefined) this.#served.unshift(front);
    const baseUrl = front?.url ?? psp.url;
    const automatic = {
      methods: ["AUTOMATIC_PIX"],
      settings: { baseUrl, receiver: PSP_RECEIVER },
    };
    const first = { url: psp.url, pixKey: PSP_KEY, priority: 1 };
    await this.#connect("psp", pixAccount(first, automatic));
    await this.#connect("efi", {
      provider: "efi-cobrancas",
      methods: ["BOLETO", "CREDIT_CARD"],
      priority: 2,
      settings: { baseUrl: efi.url, clientId: EFI_CLIENT.clientId, payeeCode: "0".repeat(32) },
      secrets: { clientSecret: EFI_CLIENT.clientSecret },
    });
    await this.#connect("pagarme", {
      provider: "pagarme",
      methods: ["CREDIT_CARD"],
      priority: 1,
      conditions: { amountTo: PAGARME_AMOUNT_TO },
      settings: { baseUrl: pagarme.url, publicKey: "pk_test_0123456789abcdef", kind: "psp" },
      secrets: { secretKey: SECRET_KEY },
    });
    const path = `/api/v1/operator/companies/${COMPANY_ID}/providers`;
    const accounts: any[] = dataOf(await this.callers.others.operator.call("GET", path));
    this.#pagarMeUrl = accounts.find(({ account }) => account === "pagarme").callbackUrl;
  }

  async #operate(method: "PUT" | "PATCH", account: string, body: object): Promise<void> {
    const { operator, second_operator: second } = this.callers.others;
    const path = `/api/v1/operator/companies/${COMPANY_ID}/providers/${account}`;
    const asked = await operator.call(method, path, { ...body, reason: REASON });
    const { id } = dataOf(asked);
    if (asked.status !== 202) return;
    const approval = { reason: REASON };
    dataOf(await second.call("POST", `/api/v1/operator/proposals/${id}/approve`, approval));
  }
}

function pixAccount(
  { url, pixKey, priority }: { url: string; pixKey: string; priority: number },
  more: { methods: string[]; settings: object } = { methods: [], settings: {} },
): object {
  const { clientSecret, ...client } = PSP_CLIENT;
  const access = { baseUrl: url, tokenUrl: `${url}/oauth/token`, payouts: { url } };
  return {
    provider: "pix-api",
    methods: ["PIX", "PAYOUT", ...more.methods],
    priority,
    settings: { ...access, ...client, pixKey, ...more.settings },
    secrets: { clientSecret },
  };
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", body });
}

function dataOf({ status, body }: MerchantAnswer): any {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}
