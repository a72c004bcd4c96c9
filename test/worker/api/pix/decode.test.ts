import { describe, expect, it } from "vitest";
import type { BrCodeErrorCode } from "../../../../src/methods/pix/br-code-parser.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import vectors from "../../../vectors/brcode.json";

const PATH = "/api/v1/pix/decode";
const NAME = `GET ${PATH}`;
const CODE_MAX = 512;
const RECURRENCE_ONLY =
  "OFFICIAL bacen/pix-api openapi 2.9.0 example: rec only (no payable Pix template in 26..51)";
const [OFFICIAL] = vectors.valid;
const CODE = OFFICIAL!.payload;

/** The reason for each invalid vector. */
const REASONS: Record<string, BrCodeErrorCode> = {
  "wrong CRC": "bad_crc",
  "CRC XMODEM(init 0) instead of CCITT-FALSE": "bad_crc",
  "country US": "wrong_country",
  "no merchant city": "no_city",
  "no currency": "wrong_currency",
  "neither key nor URL": "no_key_or_location",
  "amount with comma": "bad_amount",
  "amount zero": "bad_amount",
  "point of initiation 13": "bad_point_of_initiation",
  "TLV length overruns": "not_tlv",
  "field after CRC": "crc_not_last",
};

interface Info {
  merchantName: string;
  merchantCity: string;
  key?: string;
  url?: string;
  description?: string;
  amount?: number;
  txid?: string;
}

async function decode(code: string): Promise<Answer> {
  const answer = await call(`${PATH}?code=${encodeURIComponent(code)}`);
  expect(answer.status).toBe(200);
  await expectDocumented(NAME, answer);
  return answer;
}

/** The oracle's result with the API's field names. */
function shown(info: Info) {
  return {
    valid: true,
    kind: info.url === undefined ? "static" : "dynamic",
    key: info.key ?? null,
    location: info.url ?? null,
    amount: info.amount === undefined ? null : Math.round(info.amount * 100),
    currency: "BRL",
    merchantName: info.merchantName,
    merchantCity: info.merchantCity,
    txid: info.txid ?? null,
    description: info.description ?? null,
  };
}

describe("the decoder reads a valid code", () => {
  it.each(vectors.valid.filter(({ name }) => name !== RECURRENCE_ONLY))(
    "$name",
    async ({ payload, info }) => {
      expect((await decode(payload)).body).toMatchObject(shown(info!));
    },
  );

  it.each(
    vectors.generate.flatMap(({ payload, parsed }) =>
      payload === null ? [] : [{ payload, parsed }],
    ),
  )("$payload", async ({ payload, parsed }) => {
    expect((await decode(payload)).body).toMatchObject(shown(parsed));
  });

  it("with every field, and null for absent fields", async () => {
    expect((await decode(CODE)).body).toStrictEqual({
      valid: true,
      kind: "static",
      key: "123e4567-e12b-12d1-a456-426655440000",
      keyType: "EVP",
      location: null,
      recurrenceLocation: null,
      amount: null,
      currency: "BRL",
      merchantName: "Fulano de Tal",
      merchantCity: "BRASILIA",
      postalCode: null,
      txid: null,
      description: null,
      withdrawalFacilitator: null,
      reusable: true,
    });
  });

  it("that only requests consent to a recurrence and is not payable", async () => {
    const { payload } = vectors.valid.find(({ name }) => name === RECURRENCE_ONLY)!;
    expect((await decode(payload)).body).toMatchObject({
      valid: true,
      kind: "recurring",
      key: null,
      location: null,
      recurrenceLocation: "pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002",
      amount: null,
    });
  });

  it("with spaces and line breaks around a pasted code", async () => {
    expect((await decode(` ${CODE}\r\n`)).body).toMatchObject({ valid: true });
  });

  it("that a Centavo charge returned", async () => {
    const { pix } = await givenTransaction(await givenCompany());
    expect((await decode(pix.qrcode)).body).toMatchObject({
      valid: true,
      kind: "dynamic",
      amount: null,
      reusable: false,
    });
  });
});

describe("the decoder names the rule that a code breaks", () => {
  it.each(vectors.invalid)("$name", async ({ name, payload }) => {
    expect((await decode(payload)).body).toStrictEqual({
      valid: false,
      reason: REASONS[name],
      detail: expect.stringMatching(/^[A-Z].+\.$/),
    });
  });

  it.each(["x", "0", "https://example.com/", "é".repeat(CODE_MAX)])("%s", async (code) => {
    expect((await decode(code)).body).toMatchObject({ valid: false, reason: "not_tlv" });
  });

  it("also when a + was decoded as a space", async () => {
    const { payload } = vectors.valid.find(({ name }) => name.startsWith("static phone key"))!;
    const answer = await call(`${PATH}?code=${payload.replaceAll(" ", "%20")}`);
    expect(answer.body).toMatchObject({ valid: false, reason: "bad_crc" });
    expect(answer.body.detail).toContain("%2B");
  });
});

describe("the decoder is public", () => {
  it("reads no storage", async () => {
    const trips = countRoundTrips();
    const answer = await call(`${PATH}?code=${encodeURIComponent(CODE)}`, { env: trips.env });
    expect(answer.body).toMatchObject({ valid: true });
    expect(trips.lap().trips).toEqual([]);
  });

  it.each([
    ["no code", ""],
    ["an empty code", "?code="],
    ["a code of spaces", "?code=%20%0A"],
    ["a code of 513 characters", `?code=${"0".repeat(CODE_MAX + 1)}`],
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
