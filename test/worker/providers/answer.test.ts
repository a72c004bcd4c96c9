import { afterEach, expect, it, vi } from "vitest";
import { answerOf, PROVIDER_TIMEOUT_MS } from "../../../src/providers/provider.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const ABOUT = { provider: "Sandbox", companyId: 7 } as const;

it("an answer in time is the answer", async () => {
  const warnings = vi.spyOn(console, "warn");

  expect(await answerOf(Promise.resolve({ kind: "paid" }), ABOUT)).toEqual({ kind: "paid" });

  expect(warnings).not.toHaveBeenCalled();
});

it("a provider that throws has not answered, and the reason is in the log", async () => {
  const warnings = vi.spyOn(console, "warn");

  expect(await answerOf(Promise.reject(new Error("connection reset")), ABOUT)).toEqual({
    kind: "unknown",
  });

  expect(JSON.parse(String(warnings.mock.calls[0]?.[0]))).toMatchObject({
    event: "provider_failed",
    companyId: 7,
    error: "Error: connection reset",
  });
});

it("a provider that says nothing within its limit has not answered", async () => {
  const waited: number[] = [];
  vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => void waited.push(ms));

  expect(await answerOf(new Promise(() => undefined), ABOUT)).toEqual({ kind: "unknown" });

  expect(waited).toEqual([PROVIDER_TIMEOUT_MS]);
});
