import type { Env } from "../../../src/config.ts";
import type { RefusedReason } from "../../../src/domain/charges/payment-details.ts";
import type { ChargeDetails, ChargeOrder, ChargeReport } from "../../../src/providers/charge.ts";
import type { ChargeOutcome, Provider } from "../../../src/providers/provider.ts";
import type { ProviderRegistry } from "../../../src/providers/registry.ts";
import { createCard } from "../builders/charges/card.ts";
import type { Shop } from "../builders/companies/clocked-shop.ts";
import { CARD_REQUEST } from "../builders/requests/full-request.ts";

type CardOrder = Extract<ChargeOrder, { paymentMethod: "CREDIT_CARD" }>;

/**
 * The acquirer of a sandbox company's saved cards. `says`: what becomes of the next orders, the first one first; approved
 * where it says nothing. `lost`: the order never reaches it; `unheard`: it does, and the answer is lost.
 */
class CardHouse {
  readonly says: (RefusedReason | "lost" | "unheard")[] = [];
  readonly orders: CardOrder[] = [];
  readonly sales = new Map<string, ChargeDetails>();
  /** Whether nobody can ask it about a charge. */
  isSilent = false;
  /** Whether the company has no account for cards. */
  isGone = false;
  /** What happens right before an order reaches it. */
  before: () => Promise<unknown> = async () => undefined;

  /** Has a shop's saved cards charged here. */
  open(shop: Shop): void {
    const { providers } = shop.deps;
    shop.deps.providers = (env: Env) => this.#registry(providers(env), shop);
  }

  #registry(inner: ProviderRegistry, shop: Shop): ProviderRegistry {
    return {
      ...inner,
      accountFor: (company, method, account) => {
        const provider = this.isGone ? null : inner.accountFor(company, method, account);
        return provider === null ? null : this.#over(provider, shop);
      },
      ofAccount: async (...asked) => {
        const provider = await inner.ofAccount(...asked);
        return provider === null ? null : this.#over(provider, shop);
      },
    };
  }

  #over(provider: Provider, shop: Shop): Provider {
    return new Proxy(provider, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (name === "createCharge")
          return (order: ChargeOrder) =>
            order.paymentMethod === "CREDIT_CARD"
              ? this.#charge(order, shop)
              : target.createCharge(order);
        if (name === "findCharge")
          return (chargeId: string) =>
            this.orders.some((order) => order.chargeId === chargeId)
              ? this.#find(chargeId)
              : target.findCharge(chargeId);
        return member.bind(target);
      },
    });
  }

  async #charge(order: CardOrder, shop: Shop): Promise<ChargeOutcome> {
    const { chargeId, amount } = order;
    await this.before();
    const nowMs = await shop.now();
    this.orders.push(order);
    const said = this.says.shift();
    if (said === "lost") return { kind: "unknown" };
    const refusedReason = said === "unheard" ? null : (said ?? null);
    const { number, cvv: _cvv, ...card } = CARD_REQUEST.card;
    const digits = { firstDigits: number.slice(0, 6), lastDigits: number.slice(-4) };
    const payment = { paymentId: `C${chargeId}`, method: "CREDIT_CARD" as const, amount };
    const isPaid = refusedReason === null;
    const sale: ChargeDetails = {
      status: isPaid ? "authorized" : "refused",
      payments: isPaid ? [{ ...payment, paidAt: nowMs }] : [],
      disputes: [],
      refunds: [],
      card: {
        card: { brand: "visa", ...digits, ...card, authorizationCode: isPaid ? "A1" : null },
        nsu: chargeId.slice(-12),
        refusedReason,
      },
    };
    this.sales.set(chargeId, this.sales.get(chargeId) ?? sale);
    return said === "unheard" ? { kind: "unknown" } : { kind: "decided", charge: sale };
  }

  async #find(chargeId: string): Promise<ChargeReport> {
    if (this.isSilent) return { kind: "unknown" };
    const sale = this.sales.get(chargeId);
    return sale === undefined ? { kind: "not_found" } : { kind: "known", ...sale };
  }
}

/** The id of a card that a shop's customer has saved, and the house at which it is charged from then on. */
export async function givenSavedCard(shop: Shop, customer: object) {
  const { company, deps } = shop;
  const saved = await createCard(company, { saveCard: true }, { customer }, { deps });
  if (saved.status !== 200) throw new Error(`create answered ${saved.status}: ${saved.text}`);
  const house = new CardHouse();
  house.open(shop);
  return { savedCardId: saved.body.data.card.savedCardId as string, house };
}
