// Its sentences for requests must not become those of a scenario.
import "../../../../src/http/validation.ts";
import { describe, expect, it } from "vitest";
import { READY_NAMES, readyScenario } from "../../../../src/domain/scenarios/ready.ts";
import {
  parseScenario,
  scenarioSchema,
  wordsIn,
} from "../../../../src/domain/scenarios/scenario.ts";

const CHARGE = {
  at: "P0D",
  do: "charge",
  as: "order",
  body: { amount: 5_000, paymentMethod: "PIX" },
};

const SUBSCRIPTION = {
  at: "P0D",
  do: "subscribe",
  as: "plan",
  firstDue: "P12D",
  body: { amount: 4_990, period: "MONTHLY" },
};

/** What is wrong with a scenario of these steps. */
const faultsOf = (...steps: object[]) =>
  parseScenario({ name: "A story", description: "It is told.", steps }).faults;

describe("a file that is no scenario is refused with its step and field", () => {
  it.each<[string, object[], string]>([
    ["no time", [{ ...CHARGE, at: undefined }], "step 1, at: is missing"],
    ["a time that is none", [{ ...CHARGE, at: "day 2" }], "step 1, at: must be an ISO 8601"],
    ["a time beyond all years", [{ ...CHARGE, at: "P9999Y" }], "step 1, at: must be an ISO 8601"],
    ["an act that is none", [CHARGE, { at: "P1D", do: "wait" }], "step 2, do: "],
    ["a field that is unknown", [{ ...CHARGE, amount: 5 }], "step 1: "],
    [
      "an amount in reais",
      [CHARGE, { at: "P1D", do: "pay", of: "order", amount: 5.5 }],
      "step 2, amount: ",
    ],
    ["a field of a field", [{ ...CHARGE, body: { amount: 0 } }], "step 1, body.amount: "],
    [
      "a time before the step above",
      [
        { ...CHARGE, at: "P2D" },
        { at: "P1D", do: "check" },
      ],
      "step 2, at: must not be before the step above",
    ],
    [
      "a name that nothing has",
      [{ at: "P0D", do: "pay", of: "order" }],
      'step 1, of: no earlier step has made "order"',
    ],
    [
      "a charge that is treated as a withdraw",
      [CHARGE, { at: "P0D", do: "payWithdraw", of: "order" }],
      'step 2, of: "order" is no withdraw',
    ],
    [
      "a subscription that is paid as a charge",
      [SUBSCRIPTION, { at: "P0D", do: "pay", of: "plan" }],
      'step 2, of: "plan" is no charge',
    ],
    [
      "a charge that is approved",
      [CHARGE, { at: "P0D", do: "approve", of: "order" }],
      'step 2, of: "order" is no subscription',
    ],
    [
      "an outcome that is none",
      [SUBSCRIPTION, { at: "P0D", do: "debit", of: "plan", outcome: "lost" }],
      "step 2, outcome: ",
    ],
    ["a name that is taken", [CHARGE, CHARGE], 'step 2, as: an earlier step is called "order"'],
    [
      "an expectation of nothing",
      [{ ...CHARGE, expect: { status: { other: "PAID" } } }],
      'step 1, expect: no step has made "other"',
    ],
  ])("%s", (_what, steps, fault) => {
    const faults = faultsOf(...steps);
    expect(
      faults?.some((each) => each.startsWith(fault)),
      String(faults),
    ).toBe(true);
  });

  it("that has no steps, too many, or is no object", () => {
    expect(faultsOf()).toHaveLength(1);
    expect(
      faultsOf(...Array.from({ length: 61 }, () => ({ at: "P0D", do: "check" }))),
    ).toHaveLength(1);
    expect(parseScenario("a story").faults).toHaveLength(1);
  });
});

it("ready scenarios have a name and a description of their own in both languages", () => {
  const texts = READY_NAMES.flatMap((name) => {
    const { name: title, description } = readyScenario(name)!;
    return [title, description].flatMap((words) => [wordsIn(words, "en"), wordsIn(words, "pt-BR")]);
  });
  expect(READY_NAMES.length).toBeGreaterThanOrEqual(10);
  expect(new Set(texts).size).toBe(4 * READY_NAMES.length);
  expect(readyScenario("none")).toBeNull();
});

it("the JSON Schema names each act and what it takes", () => {
  const schema = JSON.stringify(scenarioSchema());
  for (const act of ["charge", "pay", "fault", "withdraw", "subscribe", "debit"])
    expect(schema).toContain(`"const":"${act}"`);
});
