import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import { FAULTS, type FaultName } from "../fake-psp/faults.ts";
import { DAY_MS, PagarMeBook, refusal, type Said } from "./book.ts";
import { boletoPayment } from "./simulators.ts";

export const SECRET_KEY = "sk_test_0123456789abcdef";

const WALLET = /^DELETE \/customers\/(\w+)\/cards\/(\w+)$/;

/** A call as the house saw it, and what it said; a judge reads both. */
export interface SeenCall {
  call: string;
  request: any;
  status: number;
  answer: any;
}

/** What the house says although it is otherwise, or although the order is right. */
export const PAGARME_LIES = [
  /** It refuses with 412 an order that it has made. */
  "refuses_what_it_made",
  /** It verifies the card before it makes an order, and refuses it with 412. */
  "refuses_the_card",
  /** The acquirer gave no answer: `failed` with `with_error`. */
  "with_error",
  /** A refund is not decided yet. */
  "refund_waits",
] as const;
type Lie = (typeof PAGARME_LIES)[number];

/**
 * Pagar.me in memory (API v5): orders with one charge, keys that keep their first outcome for a day, notices without a
 * signature. It is a function from request to response, used as a `fetch` or behind a socket. A test plays the payers,
 * the acquirer and the faults.
 */
export class FakePagarMe {
  readonly book: PagarMeBook;
  readonly seen: SeenCall[] = [];
  /** Centavos that were given back by API, by our charge id. */
  readonly refundsOrdered = new Map<string, number>();
  /** Bodies of the pending notices, oldest first. */
  readonly notices: any[] = [];
  readonly #clock: Clock;
  readonly #keys = new Map<string, { at: number; said: Said }>();
  readonly #faults: { name: FaultName; on: RegExp; times: number }[] = [];
  readonly #lies: Lie[] = [];
  readonly #unreadable = new Set<string>();

  readonly #secretKey: string;

  constructor(clock: Clock = systemClock, kind: "psp" | "gateway" = "psp", secretKey = SECRET_KEY) {
    this.#clock = clock;
    this.#secretKey = secretKey;
    this.book = new PagarMeBook(clock, kind);
  }

  /** Makes every call that matches `METHOD /path` fail until `clearFaults`. */
  faultAlways(name: FaultName, on = /./): void {
    this.#faults.push({ name, on, times: Infinity });
  }

  /** Makes the next call that matches fail. */
  faultOnce(name: FaultName, on = /./): void {
    this.#faults.push({ name, on, times: 1 });
  }

  clearFaults(): void {
    this.#faults.length = 0;
  }

  /** The next call that the lie is about tells it. */
  lieOnce(lie: Lie): void {
    this.#lies.push(lie);
  }

  clearLies(): void {
    this.#lies.length = 0;
  }

  /** A charge's status has a type that nobody reads, until `makeReadable`. */
  makeUnreadable(chargeId: string): void {
    this.#unreadable.add(chargeId);
  }

  makeReadable(chargeId: string): void {
    this.#unreadable.delete(chargeId);
  }

  /** A payer pays a boleto; by default what the simulator's postal code says. Also one that was cancelled. */
  payBoleto(code: string, amount?: number): any {
    const charge = this.book.chargeOf(code);
    const { customer } = this.book.withOrder(charge);
    const paid = amount ?? boletoPayment(charge.amount, customer.address?.zip_code ?? "");
    if (paid === null) return charge;
    this.book.take(charge, paid);
    this.notify(`charge.${charge.status}`, charge);
    return charge;
  }

  /** The acquirer decides an order in review, or one that it had not answered. */
  decideCard(code: string, decision: "approved" | "not_authorized"): void {
    const charge = this.book.chargeOf(code);
    this.book.settleCard(charge, decision);
    this.notify(charge.status === "paid" ? "charge.paid" : "charge.payment_failed", charge);
  }

  /** A refund that had to wait is done. */
  endRefund(code: string): void {
    const charge = this.book.chargeOf(code);
    const isWhole = charge.status === "canceled";
    charge.last_transaction.status = isWhole ? "refunded" : "partial_refunded";
    this.notify("charge.partial_canceled", charge);
  }

  /** A person gives centavos of a card's payment back in the dashboard. */
  refundByHand(code: string, amount: number): void {
    const charge = this.book.chargeOf(code);
    this.book.cancel(charge.id, { amount });
    this.notify("charge.partial_canceled", charge);
  }

  /** The payer's bank takes the money back. */
  chargeBack(code: string): void {
    const charge = this.book.chargeOf(code);
    charge.status = "chargedback";
    this.book.payables.takeBack(charge, "chargeback", charge.paid_amount);
    this.notify("charge.chargedback", charge);
  }

  /** An order of the same code comes to be a second time. */
  repeatOrder(code: string): void {
    const twin = structuredClone(this.book.orders.find((order) => order.code === code));
    twin.id = this.book.id("or");
    twin.charges[0].id = this.book.id("ch");
    this.book.orders.push(twin);
  }

  notify(type: string, charge: any): void {
    const about = { id: this.book.id("hook"), account: { id: "acc_1", name: "Loja" }, type };
    const data = structuredClone(this.book.withOrder(charge));
    this.notices.push({ ...about, created_at: this.book.now(), data });
  }

  /** The house as a `fetch`. */
  readonly fetch = (request: Request): Promise<Response> => this.answer(request);

  async answer(request: Request): Promise<Response> {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const fault = this.#faults.find(({ on, times }) => times > 0 && on.test(call));
    if (fault === undefined) return this.#handle(request);
    fault.times -= 1;
    const { isApplied, answer } = FAULTS[fault.name];
    return answer(isApplied ? await this.#handle(request) : new Response());
  }

  async #handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const text = new TextDecoder().decode(await request.arrayBuffer());
    const body = text === "" ? undefined : JSON.parse(text);
    const call = `${request.method} ${url.pathname}`;
    // A payer's browser has no key.
    const isAllowed =
      call === "POST /tokens" ||
      request.headers.get("Authorization") === `Basic ${btoa(`${this.#secretKey}:`)}`;
    const said = isAllowed
      ? this.#once(request.headers.get("idempotency-key"), () => this.#say(call, body, url))
      : refusal(401, "Authorization has been denied for this request.");
    const answer = JSON.parse(JSON.stringify(said.body), (_, value) =>
      this.#unreadable.has(value?.id) ? { ...value, status: 7 } : value,
    );
    this.seen.push({ call, request: body, status: said.status, answer });
    return Response.json(answer, { status: said.status });
  }

  /** The first outcome of a key, whatever it was, for a day. */
  #once(key: string | null, say: () => Said): Said {
    if (key === null) return say();
    const known = this.#keys.get(key);
    if (known !== undefined && this.#clock.now() < known.at + DAY_MS) return known.said;
    const { status, body } = say();
    const said = { status, body: structuredClone(body) };
    this.#keys.set(key, { at: this.#clock.now(), said });
    return said;
  }

  #tells(lie: Lie): boolean {
    const at = this.#lies.indexOf(lie);
    if (at !== -1) this.#lies.splice(at, 1);
    return at !== -1;
  }

  #say(call: string, body: any, { searchParams: query }: URL): Said {
    const [, customer = "", card = ""] = WALLET.exec(call) ?? [];
    if (card !== "") return this.book.deleteCard(customer, card);
    const [, method, route, id, act] = /^(\w+) \/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(call) ?? [];
    switch (
      `${method} ${route}${id === undefined ? "" : "/id"}${act === undefined ? "" : `/${act}`}`
    ) {
      case "POST tokens":
        return this.book.tokenFor(body);
      case "POST orders":
        return this.#create(body);
      case "GET orders":
        return this.#list(query);
      case "GET payables":
        return this.book.payables.list(query);
      case "GET orders/id":
        return found(this.book.orders.find((order) => order.id === id));
      case "GET charges/id": {
        const charge = this.book.charges().find((each) => each.id === id);
        return found(charge === undefined ? undefined : this.book.withOrder(charge));
      }
      case "POST charges/id/capture":
        return this.book.capture(id ?? "", body);
      case "DELETE charges/id":
        return this.#cancel(id ?? "", body);
      default:
        return { status: 404, body: { error: "No route." } };
    }
  }

  #create(body: any): Said {
    if (this.#tells("refuses_the_card"))
      return refusal(412, "Could not create credit card. The card verification failed.");
    const said = this.book.createOrder(body);
    if (said.status !== 200) return said;
    const [charge] = said.body.charges;
    if (charge.payment_method === "credit_card" && this.#tells("with_error")) {
      Object.assign(charge, { status: "failed", paid_at: null, paid_amount: null });
      charge.last_transaction.status = "with_error";
    }
    this.notify(`charge.${charge.status}`, charge);
    return this.#tells("refuses_what_it_made")
      ? refusal(412, "The order could not be created.")
      : said;
  }

  #cancel(id: string, body: any): Said {
    const before = this.book.givenBackOf(id);
    const said = this.book.cancel(id, body);
    if (said.status !== 200) return said;
    const charge = this.book.charges().find((each) => each.id === id);
    const { code } = this.book.withOrder(charge).order;
    const back = this.book.givenBackOf(id) - before;
    this.refundsOrdered.set(code, (this.refundsOrdered.get(code) ?? 0) + back);
    if (this.#tells("refund_waits")) charge.last_transaction.status = "waiting_cancellation";
    this.notify("charge.partial_canceled", charge);
    return { status: 200, body: this.book.withOrder(charge) };
  }

  #list(query: URLSearchParams): Said {
    const [code, since, until] = ["code", "created_since", "created_until"].map((name) =>
      query.get(name),
    );
    const size = Number(query.get("size") ?? 10);
    const page = Number(query.get("page") ?? 1);
    const all = this.book.orders.filter(
      (order) =>
        (code === null || order.code === code) &&
        (since === null || since === undefined || order.created_at >= since) &&
        (until === null || until === undefined || order.created_at < until),
    );
    const next = page * size < all.length ? `/orders?page=${page + 1}&size=${size}` : null;
    const data = all.slice((page - 1) * size, page * size);
    return { status: 200, body: { data, paging: { total: all.length, next } } };
  }
}

function found(thing: any): Said {
  return thing === undefined ? refusal(404, "Not found.") : { status: 200, body: thing };
}
