import { describe, expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { callAsOperator } from "../../support/builders/companies/operator.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { createCard } from "../../support/builders/charges/card.ts";
import { CARD_REQUEST, FULL_REQUEST } from "../../support/builders/requests/full-request.ts";
import { captureConsole, dumpD1 } from "../../support/probes/database/dumps.ts";
import { expectNoSideEffects } from "../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";

const CARD = "4539148803436467";
const WRITTEN = "Meu cartão: 4539\u00a01488-0343\u200b.6467";

type Body = Record<string, unknown>;

/** The paths of all texts of a request. */
function textPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textPaths(member, [...path, name]));
}

/** A copy with one member replaced. */
function replaced(value: object, [name = "", ...rest]: string[], text: unknown): Body {
  const copy = structuredClone(value) as Record<string, any>;
  copy[name] = rest.length === 0 ? text : replaced(copy[name], rest, text);
  return copy;
}

describe("a card number is refused, and nothing is kept of it,", () => {
  it.each(textPaths(FULL_REQUEST).map((path) => path.join(".")))("in %s", async (path) => {
    const company = await givenCompany();
    const body = replaced(FULL_REQUEST, path.split("."), WRITTEN);
    const answer = await expectNoSideEffects(company, () => createTransaction(company, body));
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [path] });
    expect(answer.body.errors[path]).toContain(
      "reads as a card number, which is never kept; put a letter into an id of digits",
    );
    expect(answer.text).not.toMatch(/0343\D{0,3}6467/u);
  });

  it.each<[string, Body, string]>([
    ["a token", { ...CARD_REQUEST, card: { token: `tok ${CARD}` } }, "card.token"],
    [
      "a holder's name",
      { ...CARD_REQUEST, card: { ...CARD_REQUEST.card, holderName: WRITTEN } },
      "card.holderName",
    ],
    ["a statement", { ...CARD_REQUEST, card: { ...CARD_REQUEST.card, note: CARD } }, "card.note"],
    ["an object", { ...FULL_REQUEST, metadata: { a: [{ b: CARD }] } }, "metadata.a.0.b"],
    ["a number", { ...FULL_REQUEST, metadata: { a: Number(CARD) } }, "metadata.a"],
    ["an unknown field", { ...FULL_REQUEST, somethingElse: CARD }, "somethingElse"],
    ["JSON in a text", { ...FULL_REQUEST, metadata: `{"n":"${CARD}"}` }, "metadata"],
  ])("in %s", async (_where, body, path) => {
    const company = await givenCompany();
    const answer = await expectNoSideEffects(company, () => createTransaction(company, body));
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [path] });
    expect(answer.text).not.toMatch(/0343\D{0,3}6467/u);
  });

  it("in a field's name, which no answer repeats", async () => {
    const company = await givenCompany();
    for (const metadata of [{ [CARD]: 1 }, { a: { [WRITTEN]: 1 } }]) {
      const answer = await createTransaction(company, { ...FULL_REQUEST, metadata });
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["body"] });
    }
    const answer = await createTransaction(company, { ...FULL_REQUEST, [CARD]: 1 });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["body"] });
    expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/0343\D{0,3}6467/u);
  });

  it.each(["tx_4539148803436467", "4539-1488-0343-6467", '"tx:4539.1488.0343.6467"'])(
    "in the Idempotency-Key %s",
    async (key) => {
      const company = await givenCompany();
      const answer = await expectNoSideEffects(company, () =>
        createTransaction(company, FULL_REQUEST, { key }),
      );
      await expectProblem(answer, {
        status: 400,
        code: "IDEMPOTENCY_KEY_INVALID",
        fields: ["Idempotency-Key"],
      });
    },
  );

  it("by every other route: withdraws, webhooks, settings and operators", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const headers = { "Idempotency-Key": "wd_1" };
    const answers = [
      await call("/api/Withdraw/request", {
        company,
        headers,
        body: { amount: 1_000, description: WRITTEN },
      }),
      await call("/api/v1/webhooks/endpoint", {
        method: "PUT",
        company,
        body: { url: `https://loja.example.com/${CARD}` },
      }),
      await call("/api/v1/company/settings", {
        method: "PUT",
        company,
        body: { withdrawDailyLimit: Number(CARD) },
      }),
      await callAsOperator("/contradictions/1/decide", {
        body: { action: "dismiss", reason: WRITTEN },
      }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
      expect(answer.text).toContain(
        "reads as a card number, which is never kept; put a letter into an id of digits",
      );
    }
    expect(await dumpD1()).not.toMatch(/0343\D{0,3}6467/u);
  });

  it("in a path that is logged", async () => {
    const overheard = captureConsole();
    const company = await givenCompany();
    expect((await call(`/api/Withdraw/${CARD}`, { company })).status).toBe(404);
    expect((await call("/nowhere/4539-1488-0343-6467")).status).toBe(404);
    expect(overheard()).toContain("/api/Withdraw/{digits}");
    expect(overheard()).not.toMatch(/0343\D{0,3}6467/u);
  });
});

describe("a card number is accepted", () => {
  it("in the field that is made for it, written in groups or not", async () => {
    const company = await givenCompany();
    for (const number of [CARD, "4539 1488 0343 6467"]) {
      expect((await createCard(company, { number })).status).toBe(200);
    }
  });

  it("only there: another field of that name is refused", async () => {
    const company = await givenCompany();
    const answer = await createTransaction(company, { ...FULL_REQUEST, number: CARD });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["number"] });
  });
});
