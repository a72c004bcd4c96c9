import * as fc from "fast-check";
import { expect } from "vitest";
import { release } from "./reference/books.ts";
import type { State } from "./reference/state.ts";
import type { RealSystem } from "./real.ts";

/** A command's run on the product and the model's expected result. */
export interface ExpectedStep {
  expected: string;
  execute: (real: RealSystem) => Promise<string>;
}

/** A kind of command: its arguments, its precondition and its effect. */
export interface CommandKind<Wish> {
  input: fc.Arbitrary<Wish>;
  isApplicable?: (state: State, command: Wish) => boolean;
  /** Updates the model; returns the expected result of the product. */
  plan: (state: State, command: Wish) => ExpectedStep;
}

/** How often each kind of command was run. */
export type Tally = Map<string, number>;

type Command = fc.AsyncCommand<State, RealSystem>;

/** The commands of a kind, by its name. */
export function commandsOf<Wish>(
  name: string,
  kind: CommandKind<Wish>,
  tally: Tally,
): fc.Arbitrary<Command> {
  return kind.input.map((command) => ({
    check: (state) => kind.isApplicable?.(state, command) ?? true,
    run: async (state, real) => {
      tally.set(name, (tally.get(name) ?? 0) + 1);
      const { expected, execute } = kind.plan(state, command);
      release(state);
      expect(await execute(real), name).toBe(expected);
      await real.verify();
    },
    toString: () => `${name} ${JSON.stringify(command)}`,
  }));
}

/** Two commands in turn, which are compared at the end; the second one only where it is possible by then. */
export function inTurn<First, Second>(
  first: CommandKind<First>,
  second: CommandKind<Second>,
): CommandKind<{ first: First; second: Second }> {
  return {
    input: fc.record({ first: first.input, second: second.input }),
    isApplicable: (state, command) => first.isApplicable?.(state, command.first) ?? true,
    plan: (state, command) => {
      const steps = [first.plan(state, command.first)];
      if (second.isApplicable?.(state, command.second) ?? true)
        steps.push(second.plan(state, command.second));
      return {
        expected: steps.map(({ expected }) => expected).join(", then "),
        execute: async (real) => {
          const answers: string[] = [];
          for (const { execute } of steps) answers.push(await execute(real));
          return answers.join(", then ");
        },
      };
    },
  };
}

/** Picks an item of a list by a number, whatever the list's length. */
export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** A number for `pick`. */
export const anyItem = fc.nat(99);
/** A few keys, so that they repeat; null for a request without a key. */
export const maybeKey = fc.option(fc.constantFrom("k1", "k2", "k3", "k4"), { freq: 2 });
/** A request that is sent twice concurrently. */
export const anyRepeat = fc.boolean();
/** Whether a command runs where it can hardly have an effect; mostly it does not. */
export const anyVain = fc.constantFrom(false, false, false, true);
/** Mostly small amounts, sometimes the maximum. */
export const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1_000, max: 90_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 99 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 999_999_999_999 }) },
);
