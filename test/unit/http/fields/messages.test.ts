import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldMessage } from "../../../../src/http/fields/messages.ts";

const IN_JSON = "json";

/** The message of the only fault of `sent`, whose field `name` must be a number. */
function messageOf(name: string, sent: object, target = IN_JSON): string | undefined {
  const schema = z.object({ [name]: z.number({ error: "must be a number" }) });
  const issue = schema.safeParse(sent).error?.issues[0];
  return issue === undefined ? undefined : fieldMessage(issue, sent, target);
}

describe("the message of a wrong field", () => {
  it.each([
    ["a missing one", {}, "is required"],
    ["null", { amount: null }, "must be a number; got null"],
    ["a text", { amount: "25,00" }, 'must be a number; got the string "25,00"'],
    ["quotes and line breaks", { amount: 'a"\n' }, 'must be a number; got the string "a\\"\\n"'],
    ["a boolean", { amount: true }, "must be a number; got true"],
    ["an array", { amount: [1, 2] }, "must be a number; got an array of 2"],
    ["an object", { amount: { value: 1 } }, "must be a number; got an object"],
    ["a long text", { amount: "x".repeat(41) }, "must be a number; got a string of 41 characters"],
    [
      "a card number",
      { amount: "4242 4242 4242 4242" },
      "must be a number; got a string of 19 characters",
    ],
    ["a key of ours", { amount: "sk_live_abc" }, "must be a number; got a string of 11 characters"],
  ])("says what came: %s", (_what, sent, message) => {
    expect(messageOf("amount", sent)).toBe(message);
  });

  it.each([
    "cvv",
    "number",
    "token",
    "clientSecret",
    "apiKey",
    "document",
    "email",
    "pixKey",
    "ip",
  ])("does not repeat the text of %s", (name) => {
    expect(messageOf(name, { [name]: "1x" })).toBe(
      "must be a number; got a string of 2 characters",
    );
  });

  it("names no type in a query, where everything is a text", () => {
    expect(messageOf("page", { page: "one" }, "query")).toBe('must be a number; got "one"');
  });

  it("leaves a rule between fields as it is", () => {
    const issue = { code: "custom", path: ["dueDate"], message: "is in the past" } as never;
    expect(fieldMessage(issue, { dueDate: "2020-01-01" }, IN_JSON)).toBe("is in the past");
  });
});
