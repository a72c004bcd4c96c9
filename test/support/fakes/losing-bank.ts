import { systemRandom, type Clock } from "../../../src/domain/shared/clock.ts";
import { runSubscription } from "../../../src/api/subscriptions/tasks.ts";
import type { Env } from "../../../src/config.ts";
import type { MandateProvider } from "../../../src/providers/mandate-provider.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { providerRegistry, type ProviderRegistry } from "../../../src/providers/registry.ts";
import { Shop } from "../builders/companies/clocked-shop.ts";
import { env } from "../builders/companies/company.ts";

/** A clock of the platform's that a test sets, from a fixed time on. */
class SetClock implements Clock {
  time = Date.parse("2026-12-01T15:00:00Z");

  now(): number {
    return this.time;
  }
}

const ORDERS = ["createMandate", "scheduleDebit", "retryDebit", "cancelDebit"] as const;
type Order = (typeof ORDERS)[number] | "cancelCharge";

/** Payers' bank that counts the orders, and loses its answer to the first of each named kind. */
export class LosingBank {
  readonly orders: Order[] = [];
  /** The charges with which mandates were read. */
  readonly read: (string | null)[] = [];
  /** The orders of which the bank refuses the next one. */
  readonly refused = new Set<Order>();
  /** What happens once, right before an order reaches the bank. */
  readonly before = new Map<Order, () => Promise<unknown>>();
  readonly #lost: Set<Order>;

  constructor(lost: Order[] = []) {
    this.#lost = new Set(lost);
  }

  registry(inner: ProviderRegistry): ProviderRegistry {
    const ofAccount: ProviderRegistry["ofAccount"] = async (...account) => {
      const provider = await inner.ofAccount(...account);
      return provider === null ? null : this.#over(provider);
    };
    return { ...inner, ofAccount };
  }

  #over(provider: Provider): Provider {
    const bank = provider.mandates;
    const mandates = bank === null ? null : this.#counted(bank);
    return new Proxy(provider, {
      get: (target, name) => {
        if (name === "mandates") return mandates;
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (name !== "cancelCharge") return member.bind(target);
        return async (...given: unknown[]) => {
          this.orders.push(name);
          await this.#happens(name);
          return member.apply(target, given);
        };
      },
    });
  }

  #counted(bank: MandateProvider): MandateProvider {
    return new Proxy(bank, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          if (name === "findMandate") this.read.push((given[1] ?? null) as string | null);
          if (this.refused.delete(name as Order)) {
            this.orders.push(name as Order);
            return { kind: "refused", message: "Not now (test)." };
          }
          await this.#happens(name as Order);
          const answer: unknown = await member.apply(target, given);
          return this.#answer(String(name) as Order, answer);
        };
      },
    });
  }

  async #happens(name: Order): Promise<void> {
    const happens = this.before.get(name);
    this.before.delete(name);
    await happens?.();
  }

  #answer(name: Order, answer: unknown): unknown {
    if (ORDERS.some((order) => order === name)) this.orders.push(name);
    return this.#lost.delete(name) ? { kind: "unknown" } : answer;
  }
}

/** A shop whose payers' bank is one of these, and its time. `run`: what its first subscription needs now. */
export async function givenShopWith(bank: LosingBank) {
  const clock = new SetClock();
  const shop = await Shop.open(clock);
  const providers = (each: Env) => bank.registry(providerRegistry(each, clock));
  shop.deps.providers = providers;
  const deps = { platformClock: clock, random: systemRandom, providers };
  const run = (each: Env = env) => runSubscription(each, deps, shop.company.id, 1);
  return { clock, shop, run };
}

/** The mandate's account is gone; nobody answers for it. */
export function disconnect(shop: Shop): () => void {
  const { providers } = shop.deps;
  shop.deps.providers = (each: Env) => ({ ...providers(each), ofAccount: async () => null });
  return () => {
    shop.deps.providers = providers;
  };
}
