import type { ZodType } from "zod";
import { ourChargeId } from "../../domain/psp/psp-ids.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { log } from "../../lib/log.ts";
import { describeZodError } from "../pix-api/unreadable-record.ts";
import type { ApiAnswer, PagarMeClient } from "./client.ts";
import { chargeOf, releasedOf, withoutReleased } from "./charge-report.ts";
import type { PagarMeRefs } from "./refs.ts";
import { ChargeOfOrder, Order, OrderCode, OrderPage, type Charge } from "./wire.ts";

/** Enough to see that there is more than one order of a code. */
const SAME_CODE_MAX = "10";

/** A charge of ours at the house. */
export type FoundCharge =
  | { kind: "found"; charge: Charge; amount: number }
  | { kind: "not_found" }
  | { kind: "unknown" };

/**
 * Finds our charges at the house: by the order's id where it is known, else by our code. The house does not promise
 * that a code is unique: several orders of one code are a contradiction, of which none is believed.
 */
export class PagarMeOrders {
  readonly #client: PagarMeClient;
  readonly #refs: PagarMeRefs;
  readonly #clock: Clock;

  constructor(parts: { client: PagarMeClient; refs: PagarMeRefs; clock: Clock }) {
    this.#client = parts.client;
    this.#refs = parts.refs;
    this.#clock = parts.clock;
  }

  async find(chargeId: string): Promise<FoundCharge> {
    const orderId = (await this.#refs.charge(chargeId))?.orderId;
    if (orderId === undefined) return this.#findByCode(chargeId);
    const answer = await this.#client.call({ method: "GET", path: ["orders", orderId] });
    return this.read(chargeId, answer.kind === "ok" ? answer.body : null);
  }

  /** The charge of an order that the house has shown; its id is remembered. */
  async read(chargeId: string, body: unknown): Promise<FoundCharge> {
    const order = parseAs(Order, body);
    if (order === null || ourChargeId(order.code) !== chargeId) return { kind: "unknown" };
    const charge = chargeOf(order);
    if (charge === null) return { kind: "unknown" };
    const ref = await this.#refs.charge(chargeId);
    const released = releasedOf(charge, ref?.released);
    if (ref?.orderId !== order.id || ref.released !== released) {
      const sentAt = ref?.sentAt ?? this.#clock.now();
      await this.#refs.saveCharge(chargeId, { sentAt, orderId: order.id, released });
    }
    return { kind: "found", charge: withoutReleased(charge, released), amount: order.amount };
  }

  /** A charge by the house's id, with ours; not found where it is no charge of ours. */
  async findById(
    id: string,
  ): Promise<
    { kind: "found"; charge: Charge; chargeId: string } | Exclude<FoundCharge, { kind: "found" }>
  > {
    const answer = await this.#client.call({ method: "GET", path: ["charges", id] });
    if (answer.kind === "not_found") return answer;
    const charge = parseAs(ChargeOfOrder, answer.kind === "ok" ? answer.body : null);
    if (charge === null || charge.id !== id) return { kind: "unknown" };
    const chargeId = ourChargeId(charge.order.code);
    if (chargeId === null) return { kind: "not_found" };
    return { kind: "found", charge: await this.withoutReleased(chargeId, charge), chargeId };
  }

  /** A charge as the house has answered with it, but for what its capture released (`releasedOf`). */
  async withoutReleased(chargeId: string, charge: Charge): Promise<Charge> {
    const { released } = (await this.#refs.charge(chargeId)) ?? {};
    return withoutReleased(charge, releasedOf(charge, released));
  }

  /**
   * An order in a list, as it is there. One whose code another order of ours has already is unreadable: who would
   * believe both would credit a charge twice. `refs`: what is remembered of the page's charges.
   */
  async listed(
    chargeId: string,
    entry: unknown,
    refs: PagarMeRefs,
  ): Promise<{ kind: "found"; charge: Charge } | { kind: "unreadable"; fault: string }> {
    const order = Order.safeParse(entry);
    if (!order.success) return { kind: "unreadable", fault: describeZodError(order.error) };
    const charge = chargeOf(order.data);
    if (charge === null) return { kind: "unreadable", fault: "charges: Not one" };
    const { orderId, released } = (await refs.charge(chargeId)) ?? {};
    const known = orderId === undefined ? await this.#findByCode(chargeId) : null;
    const isOurs =
      known?.kind === "found" ? known.charge.id === charge.id : order.data.id === orderId;
    return isOurs
      ? { kind: "found", charge: withoutReleased(charge, releasedOf(charge, released)) }
      : { kind: "unreadable", fault: "code: Another order has it" };
  }

  async #findByCode(chargeId: string): Promise<FoundCharge> {
    const query = { code: chargeId, page: "1", size: SAME_CODE_MAX };
    const page = readPage(await this.#client.call({ method: "GET", path: ["orders"], query }));
    if (page === null) return { kind: "unknown" };
    const [order, ...others] = page.data.filter((each) => codeOf(each) === chargeId);
    if (order === undefined) return { kind: "not_found" };
    if (others.length === 0) return this.read(chargeId, order);
    log("error", "pagarme_orders_contradict", { chargeId, orders: others.length + 1 });
    return { kind: "unknown" };
  }
}

/** Our charge's id in the code of an order of any shape; null for an order of others. */
export function codeOf(order: unknown): string | null {
  return ourChargeId(OrderCode.parse(order)?.code ?? "");
}

/** A page of a list of orders; null where the house did not say what is on it. */
export function readPage(answer: ApiAnswer) {
  return parseAs(OrderPage, answer.kind === "ok" ? answer.body : null);
}

/** Null for an answer of another shape, which is logged. */
export function parseAs<Out>(shape: ZodType<Out>, body: unknown): Out | null {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  if (body !== null) log("warn", "pagarme_unparseable", { fault: describeZodError(read.error) });
  return null;
}
