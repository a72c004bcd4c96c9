import { expect, it } from "vitest";
import { runSubscription } from "../../../../src/api/subscriptions/tasks.ts";
import type { Env } from "../../../../src/config.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import type { MandateProvider } from "../../../../src/providers/mandate-provider.ts";
import type { Provider } from "../../../../src/providers/provider.ts";
import { providerRegistry, type ProviderRegistry } from "../../../../src/providers/registry.ts";
import {
  chargesOf,
  decide,
  givenApproved,
  givenSubscription,
  liveUntil,
  play,
  subscriptionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { repeatThroughCrashes } from "../../../support/faults/crashes.ts";

const MINUTE = 60_000;

/** A clock of the platform's that a test sets, from a fixed time on. */
class SetClock implements Clock {
  time = Date.parse("2026-12-01T15:00:00Z");

  now(): number {
    return this.time;
  }
}

type Order = "createMandate" | "scheduleDebit" | "retryDebit" | "cancelDebit";

/** Payers' bank that counts the orders, and loses its answer to the first of each named kind. */
class LosingBank {
  readonly orders: Order[] = [];
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
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  #counted(bank: MandateProvider): MandateProvider {
    return new Proxy(bank, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          const answer: unknown = await member.apply(target, given);
          return this.#answer(String(name) as Order, answer);
        };
      },
    });
  }

  #answer(name: Order, answer: unknown): unknown {
    const isOrder = ["createMandate", "scheduleDebit", "retryDebit", "cancelDebit"].includes(name);
    if (isOrder) this.orders.push(name);
    return this.#lost.delete(name) ? { kind: "unknown" } : answer;
  }
}

async function givenShop(bank: LosingBank) {
  const clock = new SetClock();
  const shop = await Shop.open(clock);
  const providers = (each: Env) => bank.registry(providerRegistry(each, clock));
  shop.deps.providers = providers;
  const deps = { platformClock: clock, random: systemRandom, providers };
  const run = (each: Env = env) => runSubscription(each, deps, shop.company.id, 1);
  return { clock, shop, run };
}

it("what was ordered and got no answer is looked up, and ordered once", async () => {
  const bank = new LosingBank(["createMandate", "scheduleDebit", "retryDebit"]);
  const { shop } = await givenShop(bank);
  const { id, pix } = await givenSubscription(shop);
  expect(pix.qrcode).toBeNull();
  await shop.live({ advance: "PT5M" });
  expect((await subscriptionOf(shop, id)).pix.qrcode).toContain("br.gov.bcb.pix");
  await play(shop, id, "approve");
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2026-12-12");

  expect(bank.orders).toEqual(["createMandate", "scheduleDebit", "retryDebit"]);
  expect(await chargesOf(shop, id)).toMatchObject([
    { status: "paid", attempts: [{ status: "failed" }, { kind: "retry", status: "paid" }] },
  ]);
});

it.each(["before", "after"] as const)(
  "a Worker that dies %s any call leaves one charge and one debit in the end",
  async (when) => {
    const bank = new LosingBank();
    const { clock, shop, run } = await givenShop(bank);
    const { id } = await givenApproved(shop);
    clock.time = Date.parse("2026-12-05T12:00:00-03:00");

    const crashes = await repeatThroughCrashes(when, run, async () => {
      clock.time += 2 * MINUTE;
    });
    await run();

    expect(crashes.length).toBeGreaterThan(3);
    expect(await chargesOf(shop, id)).toMatchObject([
      { cycle: 1, status: "open", attempts: [{ kind: "due", status: "scheduled" }] },
    ]);
    const { transactionId } = (await chargesOf(shop, id))[0];
    const counted = (sql: string) =>
      env.DB.prepare(sql).bind(shop.company.id).first<{ n: number; id: string }>();
    expect(
      await counted("SELECT count(*) AS n, max(id) AS id FROM transactions WHERE company_id = ?"),
    ).toEqual({ n: 1, id: transactionId });
  },
);

it("two Workers that come at once order a debit once", async () => {
  const bank = new LosingBank();
  const { clock, shop, run } = await givenShop(bank);
  const { id } = await givenApproved(shop);
  clock.time = Date.parse("2026-12-05T12:00:00-03:00");

  await Promise.all([run(), run(), run()]);

  expect(bank.orders).toEqual(["createMandate", "scheduleDebit"]);
  expect(await chargesOf(shop, id)).toHaveLength(1);
});

it("a debit that is ordered too late is not sent, and its cycle fails by our own fault", async () => {
  const bank = new LosingBank();
  const { clock, shop, run } = await givenShop(bank);
  const { id } = await givenApproved(shop);
  clock.time = Date.parse("2026-12-05T12:00:00-03:00");
  // The bank does not answer at all until the window is over.
  const { providers } = shop.deps;
  shop.deps.providers = () => ({ ...providers(env), ofAccount: async () => null });
  const silent = { platformClock: clock, random: systemRandom, providers: shop.deps.providers };
  for (let tries = 0; tries < 4; tries++) {
    await runSubscription(env, silent, shop.company.id, 1);
    clock.time += 2 * MINUTE;
  }
  clock.time = Date.parse("2026-12-09T12:00:00-03:00");
  shop.deps.providers = providers;
  await run();

  expect(bank.orders).toEqual(["createMandate"]);
  const [charge] = await chargesOf(shop, id);
  expect(charge).toMatchObject({
    status: "failed",
    attempts: [{ status: "failed", code: "OUTSIDE_WINDOW", action: "our_fault" }],
  });
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
});
