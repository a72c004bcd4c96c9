import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { updateSettings } from "../../../support/builders/operations/refund.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";

const PATH = "/api/v1/sandbox/settings";
const NO_FEE = { basisPoints: 0, fixed: 0 };
const DEFAULTS = {
  fees: { PIX: NO_FEE, BOLETO: NO_FEE, CREDIT_CARD: NO_FEE, WITHDRAW: NO_FEE },
  releaseDays: { PIX: 0, BOLETO: 1, CREDIT_CARD: 30 },
  minimumWithdraw: 1_000,
  frozen: false,
};

const read = (company: TestCompany): Promise<Answer> => call(PATH, { company });
const write = (company: TestCompany, options: Call): Promise<Answer> =>
  call(PATH, { ...options, method: "PUT", company });

it("the sandbox settings have the contract's defaults", async () => {
  const company = await givenCompany();
  const answer = await read(company);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual(DEFAULTS);
  await expectDocumented(`GET ${PATH}`, answer);
});

describe("a change", () => {
  it("of all settings is returned and stored", async () => {
    const company = await givenCompany();
    const terms = {
      fees: {
        PIX: { basisPoints: 99, fixed: 1 },
        BOLETO: { basisPoints: 0, fixed: 349 },
        CREDIT_CARD: { basisPoints: 399, fixed: 39 },
        WITHDRAW: { basisPoints: 10_000, fixed: 999_999_999_999 },
      },
      releaseDays: { PIX: 365, BOLETO: 0, CREDIT_CARD: 15 },
      minimumWithdraw: 999_999_999_999,
      frozen: true,
    };
    const answer = await updateSettings(company, terms);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual(terms);
    expect((await read(company)).body).toStrictEqual(terms);
    await expectDocumented(`PUT ${PATH}`, answer);
  });

  it("keeps omitted settings, down to one fee's fixed part", async () => {
    const company = await givenCompany();
    await updateSettings(company, { fees: { PIX: { basisPoints: 99, fixed: 30 } }, frozen: true });
    await updateSettings(company, { fees: { PIX: { fixed: 40 } } });
    await updateSettings(company, {
      fees: { WITHDRAW: { basisPoints: 5 } },
      releaseDays: { BOLETO: 2 },
    });
    await updateSettings(company, { releaseDays: { PIX: 7 } });
    await updateSettings(company, { minimumWithdraw: 2_000 });
    const { body } = await updateSettings(company, { fees: { PIX: { basisPoints: 0 } } });
    expect(body).toStrictEqual({
      fees: {
        ...DEFAULTS.fees,
        PIX: { basisPoints: 0, fixed: 40 },
        WITHDRAW: { basisPoints: 5, fixed: 0 },
      },
      releaseDays: { PIX: 7, BOLETO: 2, CREDIT_CARD: 30 },
      minimumWithdraw: 2_000,
      frozen: true,
    });
    expect((await read(company)).body).toStrictEqual(body);
  });

  it.each([
    {},
    { fees: {} },
    { fees: { PIX: {} } },
    { releaseDays: {} },
    { fees: null, frozen: null },
  ])("with body %j changes nothing", async (body) => {
    const company = await givenCompany();
    await updateSettings(company, { fees: { PIX: { basisPoints: 10 } }, releaseDays: { PIX: 3 } });
    const before = (await read(company)).body;
    const answer = await updateSettings(company, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual(before);
  });

  it("VALIDATION_FAILED: rejects unknown methods and members", async () => {
    const company = await givenCompany();
    const answer = await write(company, {
      body: {
        fees: { BITCOIN: { fixed: 1 }, PIX: { percentage: 3 } },
        releaseDays: { WITHDRAW: 3 },
        companyId: 1,
        mode: "live",
      },
    });
    const fields = [
      "fees.BITCOIN",
      "fees.PIX.percentage",
      "releaseDays.WITHDRAW",
      "companyId",
      "mode",
    ];
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
    expect((await read(company)).body).toStrictEqual(DEFAULTS);
  });

  it("of one company does not affect another", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    await updateSettings(company, { fees: { PIX: { fixed: 1 } }, frozen: true });
    expect((await read(other)).body).toStrictEqual(DEFAULTS);
  });

  it("concurrent with another change loses neither", async () => {
    const company = await givenCompany();
    await Promise.all([
      updateSettings(company, { fees: { PIX: { fixed: 1 } } }),
      updateSettings(company, { fees: { PIX: { basisPoints: 2 } } }),
      updateSettings(company, { fees: { WITHDRAW: { fixed: 3 } } }),
      updateSettings(company, { releaseDays: { PIX: 4 } }),
      updateSettings(company, { releaseDays: { BOLETO: 5 } }),
    ]);
    expect((await read(company)).body).toMatchObject({
      fees: { PIX: { basisPoints: 2, fixed: 1 }, WITHDRAW: { fixed: 3 } },
      releaseDays: { PIX: 4, BOLETO: 5, CREDIT_CARD: 30 },
    });
  });
});

const fee = (value: unknown) => ({ fees: { PIX: value } });

describe("VALIDATION_FAILED", () => {
  it.each<[string, unknown]>([
    ["fees.PIX.basisPoints", fee({ basisPoints: -1 })],
    ["fees.PIX.basisPoints", fee({ basisPoints: 10_001 })],
    ["fees.PIX.basisPoints", fee({ basisPoints: 0.5 })],
    ["fees.PIX.basisPoints", fee({ basisPoints: "99" })],
    ["fees.PIX.fixed", fee({ fixed: -1 })],
    ["fees.PIX.fixed", fee({ fixed: 1_000_000_000_000 })],
    ["fees.PIX.fixed", fee({ fixed: 1.5 })],
    ["fees.PIX", fee(99)],
    ["fees.PIX", fee([])],
    ["fees", { fees: [] }],
    ["fees", { fees: "none" }],
    ["fees.WITHDRAW.fixed", { fees: { WITHDRAW: { fixed: "1" } } }],
    ["releaseDays.PIX", { releaseDays: { PIX: -1 } }],
    ["releaseDays.BOLETO", { releaseDays: { BOLETO: 366 } }],
    ["releaseDays.CREDIT_CARD", { releaseDays: { CREDIT_CARD: 1.5 } }],
    ["releaseDays", { releaseDays: 1 }],
    ["minimumWithdraw", { minimumWithdraw: 999 }],
    ["minimumWithdraw", { minimumWithdraw: 0 }],
    ["minimumWithdraw", { minimumWithdraw: 1_000_000_000_000 }],
    ["frozen", { frozen: "true" }],
    ["frozen", { frozen: 1 }],
  ])("%s in %j", async (field, body) => {
    const company = await sharedCompany();
    const answer = await write(company, { body });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    expect((await read(company)).body).toStrictEqual(DEFAULTS);
  });

  it("all invalid fields are reported at once, and the valid fields are not stored", async () => {
    const company = await sharedCompany();
    const body = {
      fees: { PIX: { basisPoints: 10_001, fixed: -1 }, WITHDRAW: { fixed: 50 } },
      releaseDays: { BOLETO: "x" },
      minimumWithdraw: 1,
      frozen: "no",
    };
    await expectProblem(await write(company, { body }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [
        "fees.PIX.basisPoints",
        "fees.PIX.fixed",
        "releaseDays.BOLETO",
        "minimumWithdraw",
        "frozen",
      ],
    });
    expect((await read(company)).body).toStrictEqual(DEFAULTS);
  });

  it("rejects a body that is not an object or is missing", async () => {
    const company = await sharedCompany();
    await expectProblem(await write(company, { rawBody: "[]" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["body"],
    });
    await expectProblem(await write(company, { rawBody: "{" }), {
      status: 400,
      code: "MALFORMED_JSON",
    });
    await expectProblem(await write(company, {}), {
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });
});

it("FORBIDDEN: a live company can neither read nor set them", async () => {
  const company = await givenCompany({ mode: "live" });
  for (const answer of [await read(company), await updateSettings(company, { frozen: false })]) {
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  }
});
