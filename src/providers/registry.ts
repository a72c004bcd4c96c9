import { sandboxBookOf } from "../db/sandbox-book.ts";
import { systemClock, systemRandom, type Clock, type RandomSource } from "../domain/clock.ts";
import type { PaymentMethod } from "../domain/charge-status.ts";
import type { Company } from "../domain/company.ts";
import type { Env } from "../env.ts";
import type { Provider } from "./provider.ts";
import { SandboxProvider } from "./sandbox/provider.ts";

/** Finds who carries a company's charges and payouts. */
export interface ProviderRegistry {
  /** Null where the company has no provider for the method. */
  forCharge(company: Pick<Company, "id" | "mode">, method: PaymentMethod): Provider | null;
  /** Null where the company has nobody who pays out. */
  forPayout(company: Pick<Company, "id" | "mode">): Provider | null;
  /** The sandbox bank behind the sandbox routes. */
  sandbox(company: Pick<Company, "id">): SandboxProvider;
}

/** The composition root of the providers: sandbox companies have the sandbox, live ones none yet. */
export function providerRegistry(
  env: Env,
  clock: Clock = systemClock,
  random: RandomSource = systemRandom,
): ProviderRegistry {
  const sandbox = (company: Pick<Company, "id">, asked?: PaymentMethod) =>
    new SandboxProvider({ book: sandboxBookOf(env, company.id), clock, random, asked });
  return {
    sandbox: (company) => sandbox(company),
    forCharge: (company, method) => {
      const provider: Provider | null =
        company.mode === "sandbox" ? sandbox(company, method) : null;
      return provider?.paymentMethods.includes(method) === true ? provider : null;
    },
    forPayout: (company) => (company.mode === "sandbox" ? sandbox(company) : null),
  };
}
