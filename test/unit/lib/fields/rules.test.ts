import { expect, it } from "vitest";
import { webhookTargetError } from "../../../../src/domain/events/webhook-target.ts";
import { FISCAL_KEY_RULE } from "../../../../src/domain/charges/fiscal-key.ts";
import { breaks, brokenRule, FIELD_RULES } from "../../../../src/lib/fields/rules.ts";
import { REFUSED_TARGETS } from "../../../support/builders/webhooks/webhook-targets.ts";

const RULES = Object.entries(FIELD_RULES);

it.each(RULES)("%s is read back from its sentence, with its values", (rule, sentence) => {
  const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const values = Object.fromEntries(
    names.map((name) => [name, ["min", "max"].includes(name) ? 7 : "word"]),
  );
  const message = sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  expect(brokenRule(message)).toEqual({ rule, ...values });
  expect(brokenRule(`${message}; got a string of 3 characters`)).toEqual({ rule, ...values });
});

it("a rule's sentence has its values", () => {
  expect(breaks("required")).toBe("is required");
  expect(breaks("maxItems", { max: 20, things: "links" })).toBe("must be at most 20 links");
});

it("the sentences of the domain, which imports nothing, are rules too", () => {
  expect(brokenRule(FISCAL_KEY_RULE)).toEqual({ rule: "fiscalKey" });
  for (const [name, url] of REFUSED_TARGETS.flatMap(({ targets }) => targets)) {
    expect(brokenRule(webhookTargetError(url, false) ?? ""), name).not.toBeNull();
  }
});

it("another text is no rule", () => {
  expect(brokenRule("Invalid fields: amount.")).toBeNull();
});
