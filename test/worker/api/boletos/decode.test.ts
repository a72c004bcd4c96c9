import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import vectors from "../../../vectors/boleto.json";

const PATH = "/api/v1/boletos/decode";
const NAME = `GET ${PATH}`;
const CODE_MAX = 128;
const LINE = "00190000090123456789701234567897116470000002500";
const REFERENCE_DAY = "2026-11-20";

/** The reason for each invalid vector. */
const REASONS: Record<string, string[]> = {
  "field 1 DV": ["bad_field_1"],
  "field 3 DV": ["bad_field_3"],
  "factor changed, DV not": ["bad_check_digit"],
  "46 digits": ["wrong_length"],
  letters: ["bad_character"],
  "all zeros": ["wrong_currency", "bad_check_digit"],
};

/** The decoder's response at noon of a day. */
async function decode(code: string, day = REFERENCE_DAY): Promise<Answer> {
  const clock = { now: () => Date.parse(`${day}T12:00:00-03:00`) };
  const answer = await call(`${PATH}?code=${encodeURIComponent(code)}`, {
    deps: { platformClock: clock },
  });
  expect(answer.status).toBe(200);
  return answer;
}

describe("the decoder reads a boleto", () => {
  it("of each of the vectors, from its line, its masked line and its barcode", async () => {
    for (const { line, barcode, formatted, info } of vectors.slips) {
      const shown = {
        valid: true,
        barcode,
        digitableLine: line,
        formattedLine: formatted,
        bank: info.bank,
        amount: info.amountCents,
        currency: "BRL",
        factor: barcode.slice(5, 9),
        dueDate: info.dueDateAtRef2026_11_20,
        freeField: barcode.slice(19),
      };
      for (const code of [line, formatted, barcode]) {
        expect((await decode(code)).body).toStrictEqual(shown);
      }
    }
  });

  it("whose general check digit would be 10 or 11", async () => {
    for (const { line, barcode, amountCents } of vectors.mod11Edge) {
      expect((await decode(line)).body).toMatchObject({
        valid: true,
        barcode,
        amount: amountCents,
      });
    }
  });

  it("whose due date factor has several dates, with the date closest to the reference day", async () => {
    for (const { line, resolvedDueDateByReferenceDate } of vectors.cycle) {
      for (const [day, dueDate] of Object.entries(resolvedDueDateByReferenceDate)) {
        expect((await decode(line, day)).body, `${line} on ${day}`).toMatchObject({ dueDate });
      }
    }
  });

  it("with spaces and line breaks around a pasted code", async () => {
    expect((await decode(` ${LINE}\r\n`)).body).toMatchObject({ valid: true });
  });
});

it("the decoder names the rules that a code breaks", async () => {
  for (const { name, line } of vectors.invalid) {
    const answer = await decode(line);
    expect(answer.body, name).toStrictEqual({
      valid: false,
      reasons: REASONS[name]?.map((reason) => ({
        reason,
        detail: expect.stringMatching(/^[A-Z].+\.$/),
      })),
    });
  }
});

it.each([LINE, `${LINE}0`])("the result for %s matches the documentation", async (code) => {
  await expectDocumented(NAME, await decode(code));
});

describe("the decoder is public", () => {
  it("reads no storage", async () => {
    const trips = countRoundTrips();
    const answer = await call(`${PATH}?code=${LINE}`, { env: trips.env });
    expect(answer.body).toMatchObject({ valid: true });
    expect(trips.lap().trips).toEqual([]);
  });

  it.each([
    ["no code", ""],
    ["an empty code", "?code="],
    ["a code of spaces", "?code=%20%0A"],
    ["a code of 129 characters", `?code=${"0".repeat(CODE_MAX + 1)}`],
    ["two codes", "?code=1&code=2"],
  ])("VALIDATION_FAILED: %s", async (_title, query) => {
    const answer = await call(PATH + query);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["code"] });
  });

  it("NOT_ACCEPTABLE: another media type than JSON", async () => {
    const answer = await call(`${PATH}?code=1`, { headers: { Accept: "text/plain" } });
    await expectProblem(answer, { status: 406, code: "NOT_ACCEPTABLE" });
  });
});
