import { expect, it } from "vitest";
import { CallSequence } from "../../support/probes/database/call-sequence.ts";

/** A call that ends when `end` is called. */
function pendingCall(sequence: CallSequence): { end: () => void; ended: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, ended: sequence.intercept("a call", () => promise) };
}

it("sequential calls each add one to the length", async () => {
  const sequence = new CallSequence();
  for (let call = 0; call < 3; call++) await sequence.intercept("a call", async () => undefined);
  expect(sequence.takeLength()).toBe(3);
  expect(sequence.takeLength()).toBe(0);
});

it("overlapping calls count as one", async () => {
  const sequence = new CallSequence();
  const calls = [pendingCall(sequence), pendingCall(sequence)];
  for (const { end } of calls) end();
  await Promise.all(calls.map(({ ended }) => ended));
  expect(sequence.takeLength()).toBe(1);
});

it("a call that starts during another one still follows the calls that have ended", async () => {
  const sequence = new CallSequence();
  const long = pendingCall(sequence);
  await sequence.intercept("a call", async () => undefined);
  await sequence.intercept("a call", async () => undefined);
  long.end();
  await long.ended;
  expect(sequence.takeLength()).toBe(2);
});

it("a failed call counts", async () => {
  const sequence = new CallSequence();
  const failing = sequence.intercept("a call", () => Promise.reject(new Error("down")));
  await expect(failing).rejects.toThrow("down");
  expect(sequence.length).toBe(1);
});
