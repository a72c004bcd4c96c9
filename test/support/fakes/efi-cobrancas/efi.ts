import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import { FAULTS } from "../fake-psp/faults.ts";
import { EfiBook, EfiError, type EfiCharge } from "./book.ts";

const TOKEN_SECONDS = 600;
/** Efí's page, whatever is asked for. */
const LIMIT_MAX = 50;

export const EFI_CLIENT = { clientId: "Client_Id_7", clientSecret: "s3cret:with/colon" };

/** What Efí's answers may be instead: also an error with HTTP 200. */
export const EFI_FAULTS = {
  ...FAULTS,
  error_200: {
    isApplied: false,
    answer: () => Response.json({ code: 3_500_000, error: "internal", error_description: "Erro" }),
  },
};
export type EfiFault = keyof typeof EFI_FAULTS;

/** A request as it came, and its answer. */
export interface Exchange {
  call: string;
  query: Record<string, string>;
  body: any;
  status: number;
  answer: any;
}

/**
 * Efí's API Cobranças in memory: a function from request to response, used as a `fetch` or behind a socket. A test plays
 * payers, banks and faults.
 */
export class FakeEfi {
  readonly book: EfiBook;
  /** Each exchange but those about tokens, oldest first. */
  readonly exchanges: Exchange[] = [];
  /** The names of calls that got no answer of Efí's, whether it did them or not. */
  readonly unanswered: string[] = [];
  tokensGiven = 0;
  readonly #clock: Clock;
  readonly #client: typeof EFI_CLIENT;
  readonly #tokens = new Map<string, number>();
  #faults: { name: EfiFault; on: RegExp; times: number }[] = [];
  readonly #unreadable = new Set<number>();
  /** Calls that each endpoint takes a day; it counts them by day and endpoint. */
  #quota = Infinity;
  readonly #used = new Map<string, number>();

  constructor(clock: Clock = systemClock, client = EFI_CLIENT) {
    this.#clock = clock;
    this.#client = client;
    this.book = new EfiBook(clock);
  }

  readonly fetch = (request: Request): Promise<Response> => this.answer(request);

  /** Makes the next call that matches `METHOD /path` fail. */
  faultOnce(name: EfiFault, on = /^(?!POST \/v1\/authorize)/): void {
    this.#faults.push({ name, on, times: 1 });
  }

  /** Makes every call fail until `clearFaults`. */
  faultAlways(name: EfiFault, on = /^(?!POST \/v1\/authorize)/): void {
    this.#faults.push({ name, on, times: Infinity });
  }

  clearFaults(): void {
    this.#faults = [];
  }

  /** Each endpoint takes so many calls a day from now on, and answers 3500049 to more. */
  limitDay(calls: number): void {
    this.#quota = calls;
    this.#used.clear();
  }

  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** The names of the calls so far. */
  get calls(): string[] {
    return this.exchanges.map(({ call }) => call);
  }

  /** The charge of ours that is not inert, or the first one. */
  charge(customId: string): EfiCharge {
    const all = this.book.charges.filter(({ custom_id: id }) => id === customId);
    return all.find(({ status }) => status !== "new") ?? all[0]!;
  }

  /** A boleto is paid at a bank, which reports a day, or by its Pix; or a card's money is credited. */
  pay(
    customId: string,
    { value, by = "bank" }: { value?: number; by?: "bank" | "pix" } = {},
  ): void {
    const charge = this.charge(customId);
    charge.paidAt = this.book.time();
    charge.paidValue = value ?? charge.total;
    const isByBank = by === "bank" && charge.payment.banking_billet !== undefined;
    charge.receivedAt = isByBank ? this.book.today() : null;
    const received = isByBank ? { received_by_bank_at: charge.receivedAt } : {};
    this.book.change(charge, "paid", { value: charge.paidValue, ...received });
  }

  /** The oldest open refund of a card ends: all of it, or a part. Answers whether there was one. */
  giveBack(customId: string): boolean {
    const charge = this.charge(customId);
    const [amount] = this.openRefunds(customId);
    if (amount === undefined) return false;
    charge.givenBack += amount;
    const isWhole = charge.givenBack === charge.total;
    this.book.change(charge, isWhole ? "refunded" : charge.status, {}, "Estorno realizado");
    return true;
  }

  /** A person gives all of a card's payment back in the house's panel. */
  refundByHand(customId: string): void {
    const charge = this.charge(customId);
    charge.givenBack = charge.total;
    this.book.change(charge, "refunded", {}, "Estorno realizado");
  }

  /** A payer claims a card's payment back. */
  contest(customId: string): void {
    this.book.change(this.charge(customId), "contested");
  }

  /** The chargeback ends: the money stays, or all that is left of it is gone. */
  endContest(customId: string, isWon: boolean): void {
    const charge = this.charge(customId);
    if (isWon) {
      charge.paidAt ??= this.book.time();
      charge.paidValue ??= charge.total;
    } else charge.givenBack = charge.total;
    this.book.change(charge, isWon ? "paid" : "refunded");
  }

  /** Centavos of each refund that was ordered and has not ended, oldest first. */
  openRefunds(customId: string): number[] {
    const { refunds, givenBack } = this.charge(customId);
    let ended = givenBack;
    return refunds.filter((amount) => {
      const isOpen = ended < amount;
      ended -= amount;
      return isOpen;
    });
  }

  /** Whether a refund of a card was asked for without an answer: only the house's panel tells what became of it. */
  hasUnansweredRefund(customId: string): boolean {
    return this.unanswered.includes(`POST /v1/charge/card/${this.charge(customId).id}/refund`);
  }

  /** Its list shows a payment that cannot be read, until `makeReadable`. */
  makeUnreadable(efiId: number): void {
    this.#unreadable.add(efiId);
  }

  makeReadable(efiId: number): void {
    this.#unreadable.delete(efiId);
  }

  async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const call = `${request.method} ${pathname}`;
    const fault = this.#faults.find(({ on, times }) => times > 0 && on.test(call));
    if (fault === undefined) return this.#handle(request, call);
    fault.times -= 1;
    this.unanswered.push(call);
    const { isApplied, answer } = EFI_FAULTS[fault.name];
    return answer(isApplied ? await this.#handle(request, call) : new Response());
  }

  async #handle(request: Request, call: string): Promise<Response> {
    const text = await request.text();
    if (call === "POST /v1/authorize") return this.#authorize(request, text);
    const token = request.headers.get("Authorization")?.replace("Bearer ", "") ?? "";
    if ((this.#tokens.get(token) ?? 0) <= this.#clock.now())
      return Response.json({ code: 401, error: "unauthorized" }, { status: 401 });
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const body = text === "" ? null : JSON.parse(text);
    const { status, answer } = this.#said(call, query, body);
    this.exchanges.push({ call, query, body, status, answer });
    return Response.json(answer, { status });
  }

  #said(call: string, query: Record<string, string>, body: any) {
    const endpoint = `${saoPauloDay(this.#clock.now())} ${call.replaceAll(/\/\d+/g, "/:id")}`;
    const used = (this.#used.get(endpoint) ?? 0) + 1;
    this.#used.set(endpoint, used);
    try {
      if (used > this.#quota) throw new EfiError(3_500_049);
      return { status: 200, answer: this.#route(call, query, body) };
    } catch (error) {
      if (!(error instanceof EfiError)) throw error;
      const { code, property, message } = error;
      const about = property === null ? message : { property, message };
      const answer = { code, error: "invalid_request", error_description: about };
      return { status: code === 4_600_001 ? 404 : 400, answer };
    }
  }

  #authorize(request: Request, text: string): Response {
    const { clientId, clientSecret } = this.#client;
    const isKnown =
      request.headers.get("Authorization") === `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    if (!isKnown || JSON.parse(text).grant_type !== "client_credentials")
      return Response.json({ code: 401, error: "invalid_client" }, { status: 401 });
    this.tokensGiven += 1;
    const token = crypto.randomUUID();
    const expiresAt = this.#clock.now() + TOKEN_SECONDS * 1_000;
    this.#tokens.set(token, expiresAt);
    return Response.json({
      access_token: token,
      refresh_token: crypto.randomUUID(),
      token_type: "Bearer",
      expires_in: TOKEN_SECONDS,
      expire_at: String(expiresAt),
    });
  }

  #route(call: string, query: Record<string, string>, body: any): unknown {
    const [, method, rest = ""] = /^(\w+) \/v1\/(.*)$/.exec(call) ?? [];
    const [kind, id, act, card] = rest.split("/");
    const route = `${method} ${kind}${act === undefined ? "" : ` ${act}`}`;
    if (route === "POST charge" && id === undefined) return this.#created(body);
    if (route === "GET charges") return this.#page(query);
    if (route === "GET notification") return this.#notice(id ?? "");
    if (id === "card" && card === "refund") return this.#refunded(this.#byId(act ?? ""), body);
    const charge = this.#byId(id ?? "");
    switch (route) {
      case "GET charge":
        return ok(this.#detail(charge));
      case "POST charge pay":
        this.book.definePayment(charge, body);
        return ok(this.#defined(charge));
      case "PUT charge billet":
        this.book.changeDueDate(charge, body);
        return { code: 200 };
      case "PUT charge cancel":
        this.book.cancel(charge);
        return { code: 200 };
      default:
        throw new Error(`${call} is not in the contract`);
    }
  }

  #byId(text: string): EfiCharge {
    const charge = this.book.charges.find(({ id }) => String(id) === text);
    if (charge === undefined) throw new EfiError(4_600_001);
    return charge;
  }

  #created(body: any): unknown {
    const { id, total, status, custom_id, created_at } = this.book.create(body);
    return ok({ charge_id: id, total, status, custom_id, created_at });
  }

  /** A success says only that it is being processed, and says `status` where others say `code`. */
  #refunded(charge: EfiCharge, body: any): unknown {
    this.book.refund(charge, body?.amount);
    return { status: 200, message: "Estorno em processamento" };
  }

  #defined(charge: EfiCharge): object {
    const about = { charge_id: charge.id, total: charge.total, status: charge.status };
    if (charge.payment.banking_billet !== undefined)
      return { ...about, payment: "banking_billet", ...this.book.billetOf(charge) };
    const { installments, installment_value } = this.book.cardOf(charge);
    const refused = charge.status === "unpaid" ? { reason: "Cartão recusado" } : {};
    return { ...about, payment: "credit_card", installments, installment_value, ...refused };
  }

  #detail(charge: EfiCharge): object {
    const { id, total, status, custom_id, created_at, notification_url, items, history } = charge;
    const about = { charge_id: id, total, status, custom_id, created_at, notification_url };
    return { ...about, items, history, ...this.#paymentOf(charge) };
  }

  #paymentOf(charge: EfiCharge): object {
    if (charge.payment === null) return {};
    const { definedAt: created_at, banking_billet, credit_card } = charge.payment;
    const details =
      banking_billet === undefined
        ? { method: "credit_card", credit_card: this.book.cardOf(charge) }
        : { method: "banking_billet", banking_billet: this.book.billetOf(charge) };
    const { customer } = banking_billet ?? credit_card;
    return {
      customer: { ...(customer.juridical_person ?? customer), ...addressOf(customer) },
      payment: { created_at, message: null, ...details },
    };
  }

  #page(query: Record<string, string>): unknown {
    const { charge_type: type, begin_date: begin, end_date: end, date_of: of, custom_id } = query;
    const limit = Math.min(Number(query["limit"] ?? 20), LIMIT_MAX);
    const page = Number(query["page"] ?? 1);
    const isOf = (charge: EfiCharge) => {
      const isCard = charge.payment?.credit_card !== undefined;
      const day = (of === "payment" ? (charge.paidAt ?? "") : charge.created_at).slice(0, 10);
      const isListed = charge.payment !== null || this.book.listsNew;
      const isNamed = custom_id === undefined || custom_id === charge.custom_id;
      return isListed && isNamed && isCard === (type === "card") && day >= begin! && day <= end!;
    };
    const offset = (page - 1) * limit;
    const data = this.book.charges.filter(isOf).slice(offset, offset + limit);
    const pagination = { limit, offset, page };
    return {
      code: 200,
      data: data.map((charge) => this.#entry(charge)),
      params: { begin_date: begin, end_date: end, pagination },
    };
  }

  #entry(charge: EfiCharge): object {
    const { id, total, status, custom_id, created_at, payment } = charge;
    const about = { id, total, status, custom_id, created_at };
    if (payment === null) return about;
    const { customer } = payment.banking_billet ?? payment.credit_card;
    const { method, ...details } = (this.#paymentOf(charge) as any).payment;
    return {
      ...about,
      customer: { phone_number: null, ...(customer.juridical_person ?? customer) },
      payment: {
        payment_method: method,
        ...details,
        paid_at: this.#unreadable.has(id) ? "ontem" : charge.paidAt,
        ...(charge.paidValue === null ? {} : { paid_value: charge.paidValue }),
        ...(charge.receivedAt === null ? {} : { received_by_bank_at: charge.receivedAt }),
      },
    };
  }

  #notice(token: string): unknown {
    const charge = this.book.charges.find((each) => each.token === token);
    if (charge === undefined) throw new EfiError(3_500_010, "token");
    return ok(charge.changes);
  }
}

/** Efí names the complement of an address also where there is none. */
function addressOf({ address }: any): object {
  return address === undefined ? {} : { address: { complement: null, ...address } };
}

function ok(data: unknown) {
  return { code: 200, data };
}
