import { systemRandom } from "../../../src/domain/shared/clock.ts";
import { runSubscription } from "../../../src/api/subscriptions/tasks.ts";
import type { Env } from "../../../src/config.ts";
import type { MandateProvider } from "../../../src/providers/mandate-provider.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { providerRegistry, type ProviderRegistry } from "../../../src/providers/registry.ts";
import { BEGIN_MS } from "../builders/charges/subscriptions.ts";
import { Shop } from "../builders/companies/clocked-shop.ts";
import { NO_DEBIT } from "../../../src/domain/subscriptions/records.ts";
import { env, inAccount } from "../builders/companies/company.ts";
import { TestClock } from "./clock.ts";

const ORDERS = ["createMandate", "scheduleDebit", "retryDebit", "cancelDebit"] as const;
/** The calls about charges that a payer pays by a code. */
const CODE_CALLS = ["createCharge", "cancelCharge"] as const;
type Order = (typeof ORDERS)[number] | (typeof CODE_CALLS)[number] | "findDebit";

const UNKNOWN = { kind: "unknown" };
const REFUSED = { kind: "refused", message: "Not now (test)." };

/** Payers' bank that counts the orders, and loses its answer to the first of each named kind. */
export class LosingBank {
  readonly orders: Order[] = [];
  /** The charges with which mandates were read. */
  readonly read: (string | null)[] = [];
  /** The orders of which the bank refuses the next one. */
  readonly refused = new Set<Order>();
  /** What gets no answer, and never reaches the bank. */
  readonly silent = new Set<Order>();
  /** What happens once, right before an order reaches the bank. */
  readonly before = new Map<Order, () => Promise<unknown>>();
  /** Whether the bank shows no attempt of any debit. */
  hidesAttempts = false;
  readonly #lost: Set<Order>;

  constructor(lost: Order[] = []) {
    this.#lost = new Set(lost);
  }

  registry(inner: ProviderRegistry): ProviderRegistry {
    const ofAccount: ProviderRegistry["ofAccount"] = async (...account) => {
      const provider = await inner.ofAccount(...account);
      return provider === null ? null : this.#over(provider);
    };
    const routesFor: ProviderRegistry["routesFor"] = (...charge) =>
      inner.routesFor(...charge).map((provider) => this.#over(provider));
    return { ...inner, ofAccount, routesFor };
  }

  #over(provider: Provider): Provider {
    const bank = provider.mandates;
    const mandates = bank === null ? null : this.#counted(bank);
    return new Proxy(provider, {
      get: (target, name) => {
        if (name === "mandates") return mandates;
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        const call = CODE_CALLS.find((each) => each === name);
        if (call === undefined) return member.bind(target);
        return async (...given: unknown[]) => {
          this.orders.push(call);
          if (this.refused.delete(call)) return REFUSED;
          await this.#happens(call);
          return this.silent.has(call) ? UNKNOWN : member.apply(target, given);
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
          if (this.silent.has(name as Order)) return UNKNOWN;
          if (this.refused.delete(name as Order)) {
            this.orders.push(name as Order);
            return REFUSED;
          }
          await this.#happens(name as Order);
          const answer: unknown = await member.apply(target, given);
          return this.#answer(String(name) as Order, this.hidesAttempts ? hidden(answer) : answer);
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
    return this.#lost.delete(name) ? UNKNOWN : answer;
  }
}

function hidden(answer: unknown): unknown {
  const { debit } = answer as { debit?: object };
  return debit === undefined
    ? answer
    : { ...(answer as object), debit: { ...debit, attempts: [] } };
}

/** A shop whose payers' bank is one of these, and its time. `run`: what its first subscription needs now. */
export async function givenShopWith(bank: LosingBank) {
  const clock = new TestClock(BEGIN_MS);
  const shop = await Shop.open(clock);
  const providers = (each: Env) => bank.registry(providerRegistry(each, clock));
  shop.deps.providers = providers;
  const deps = { platformClock: clock, random: systemRandom, providers };
  const run = (each: Env = env) => runSubscription(each, deps, shop.company.id, 1);
  return { clock, shop, run };
}

/** Restores the company's object to before it ordered the debits of its cycles. */
export function forgetOrder({ company }: Shop): Promise<void> {
  return inAccount(company.id, (_account, { storage: { sql } }) => {
    sql.exec("UPDATE subscription_cycles SET attempts = '[]', debit = ?", JSON.stringify(NO_DEBIT));
  });
}

/** The mandate's account is gone; nobody answers for it. */
export function disconnect(shop: Shop): () => void {
  const { providers } = shop.deps;
  shop.deps.providers = (each: Env) => ({ ...providers(each), ofAccount: async () => null });
  return () => {
    shop.deps.providers = providers;
  };
}
