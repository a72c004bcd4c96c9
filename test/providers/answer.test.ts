import { afterEach, expect, it, vi } from "vitest";
import { answerOf, PROVIDER_TIMEOUT_MS } from "../../src/providers/provider.ts";
import { providerRegistry } from "../../src/providers/registry.ts";
import { env } from "../support/env.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("an answer in time is the answer", async () => {
  const faults: unknown[] = [];

  expect(await answerOf(Promise.resolve({ kind: "paid" }), (error) => faults.push(error))).toEqual({
    kind: "paid",
  });

  expect(faults).toEqual([]);
});

it("a provider that throws has not answered, and the reason is kept", async () => {
  const faults: unknown[] = [];
  const reason = new Error("connection reset");

  expect(await answerOf(Promise.reject(reason), (error) => faults.push(error))).toEqual({
    kind: "unknown",
  });

  expect(faults).toEqual([reason]);
});

it("a provider that says nothing within its limit has not answered", async () => {
  const waited: number[] = [];
  vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => void waited.push(ms));

  expect(await answerOf(new Promise(() => undefined), () => undefined)).toEqual({
    kind: "unknown",
  });

  expect(waited).toEqual([PROVIDER_TIMEOUT_MS]);
});

it("a company that is live has no provider yet, and the sandbox takes PIX only", () => {
  const registry = providerRegistry(env);

  expect(registry.forCharge({ id: 1, mode: "live" }, "PIX")).toBeNull();
  expect(registry.forPayout({ id: 1, mode: "live" })).toBeNull();
  expect(registry.forCharge({ id: 1, mode: "sandbox" }, "PIX")?.name).toBe("Sandbox");
  expect(registry.forCharge({ id: 1, mode: "sandbox" }, "BOLETO")).toBeNull();
  expect(registry.forPayout({ id: 1, mode: "sandbox" })?.idempotentPayouts).toBe(true);
});
