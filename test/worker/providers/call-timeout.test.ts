import { afterEach, expect, it, vi } from "vitest";
import { callProvider, PROVIDER_TIMEOUT_MS } from "../../../src/providers/provider.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const ABOUT = { provider: "Sandbox", companyId: 7 } as const;

it("a response in time is returned", async () => {
  const warnings = vi.spyOn(console, "warn");

  expect(await callProvider(Promise.resolve({ kind: "paid" }), ABOUT)).toEqual({ kind: "paid" });

  expect(warnings).not.toHaveBeenCalled();
});

it("a provider that throws counts as no response, and the log has the reason", async () => {
  const warnings = vi.spyOn(console, "warn");

  expect(await callProvider(Promise.reject(new Error("connection reset")), ABOUT)).toEqual({
    kind: "unknown",
  });

  expect(JSON.parse(String(warnings.mock.calls[0]?.[0]))).toMatchObject({
    event: "provider_call_failed",
    companyId: 7,
    error: "Error: connection reset",
  });
});

it("a provider without a response within its limit counts as no response", async () => {
  const waited: number[] = [];
  vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => void waited.push(ms));

  expect(await callProvider(new Promise(() => undefined), ABOUT)).toEqual({ kind: "unknown" });

  expect(waited).toEqual([PROVIDER_TIMEOUT_MS]);
});
