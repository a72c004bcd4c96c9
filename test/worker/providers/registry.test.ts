import { describe, expect, it } from "vitest";
import { PAYMENT_METHODS } from "../../../src/domain/charges/charge-status.ts";
import { providerOfCharge, providerRegistry } from "../../../src/providers/registry.ts";
import { env } from "../../support/builders/companies/env.ts";
import { pspConfig } from "../../support/fakes/fake-psp/provider.ts";

const CALLED_BACK = { callbackOrigin: "https://api.example.com", requireClientCertificate: false };

describe("the provider registry", () => {
  const registry = providerRegistry(env);
  const about = {
    id: 1,
    clockOffsetMs: 0,
    sandboxFaults: [],
    providerCompanyId: "4d1b7f0e-0000-4000-8000-000000000001",
  };
  const live = { ...about, mode: "live" } as const;
  const settings = { ...pspConfig("https://pix.example.com"), ...CALLED_BACK };
  const account = {
    account: "first",
    provider: "PixApi",
    settings,
    sealed: "v1.x.y",
    methods: ["PIX", "PAYOUT"],
    priority: 1,
    conditions: {},
    state: "active",
    createdAt: 0,
  } as const;
  const withPsp = { ...live, accounts: [account] };

  it("returns the sandbox for everything in a sandbox company, also when it has a PSP", () => {
    const company = { ...withPsp, mode: "sandbox" } as const;
    for (const method of PAYMENT_METHODS) {
      expect(registry.forCharge(company, method)?.name).toBe("Sandbox");
    }
    expect(registry.forPayout(company)?.idempotentPayouts).toBe(true);
  });

  it("returns no provider for a live company without a PSP, and the PSP for PIX once it is configured", () => {
    const before = { ...live, accounts: [] };
    expect(registry.forCharge(before, "PIX")).toBeNull();
    expect(registry.forPayout(before)).toBeNull();
    expect(registry.forCharge(withPsp, "PIX")?.name).toBe("PixApi");
    expect(registry.forCharge(withPsp, "BOLETO")).toBeNull();
    expect(registry.forCharge(withPsp, "CREDIT_CARD")).toBeNull();
    expect(registry.forPayout(withPsp)?.name).toBe("PixApi");
  });

  it("returns a named account whatever its conditions, and only where it takes the method now", () => {
    const card = { ...account, methods: ["PIX"], conditions: { amountTo: 100 } } as const;
    const company = { ...live, accounts: [card] };
    expect(registry.routesFor(company, "PIX", 101)).toEqual([]);
    expect(registry.accountFor(company, "PIX", "first")?.account).toBe("first");
    expect(registry.accountFor(company, "PIX", "second")).toBeNull();
    expect(registry.accountFor(company, "CREDIT_CARD", "first")).toBeNull();
    const draining = { ...live, accounts: [{ ...card, state: "draining" } as const] };
    expect(registry.accountFor(draining, "PIX", "first")).toBeNull();
    const sandbox = { ...withPsp, mode: "sandbox" } as const;
    expect(registry.accountFor(sandbox, "CREDIT_CARD", "sandbox")?.name).toBe("Sandbox");
    expect(registry.accountFor(sandbox, "CREDIT_CARD", "first")).toBeNull();
  });

  it("returns no provider for payouts when the PSP has none", () => {
    const company = {
      ...live,
      accounts: [{ ...account, methods: ["PIX" as const] }],
    };
    expect(registry.forPayout(company)).toBeNull();
    expect(registry.forCharge(company, "PIX")?.name).toBe("PixApi");
  });

  it("returns the provider and account that made a charge, and no other", async () => {
    const charge = { provider: "Sandbox", account: "first", paymentMethod: "PIX" } as const;
    expect(await providerOfCharge(registry, withPsp, charge)).toBeNull();
    const own = { ...charge, provider: "PixApi" } as const;
    expect((await providerOfCharge(registry, withPsp, own))?.name).toBe("PixApi");
    expect(await providerOfCharge(registry, withPsp, { ...own, account: "other" })).toBeNull();
  });
});
