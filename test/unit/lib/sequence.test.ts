import { expect, it } from "vitest";
import { Sequence } from "../../support/faults/sequence.ts";

/** A call that ends when it is told to. */
function held(sequence: Sequence): { end: () => void; ended: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, ended: sequence.around("a call", () => promise) };
}

it("calls one after the other are as many in sequence", async () => {
  const sequence = new Sequence();
  for (let call = 0; call < 3; call++) await sequence.around("a call", async () => undefined);
  expect(sequence.lap()).toBe(3);
  expect(sequence.lap()).toBe(0);
});

it("calls that overlap are one", async () => {
  const sequence = new Sequence();
  const calls = [held(sequence), held(sequence)];
  for (const { end } of calls) end();
  await Promise.all(calls.map(({ ended }) => ended));
  expect(sequence.lap()).toBe(1);
});

it("one that begins while another goes on still stands behind what has ended", async () => {
  const sequence = new Sequence();
  const long = held(sequence);
  await sequence.around("a call", async () => undefined);
  await sequence.around("a call", async () => undefined);
  long.end();
  await long.ended;
  expect(sequence.lap()).toBe(2);
});

it("a call that fails was a call", async () => {
  const sequence = new Sequence();
  const failing = sequence.around("a call", () => Promise.reject(new Error("down")));
  await expect(failing).rejects.toThrow("down");
  expect(sequence.length).toBe(1);
});
