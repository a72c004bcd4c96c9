import { afterAll, expect, it } from "vitest";
import {
  callAsOperator,
  givenOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import {
  givenPsp,
  pixApiPath,
  pixApiRequest,
  putPixApi,
} from "../../../../support/builders/providers/psp.ts";
import { approve, REASON } from "../../../../support/builders/operations/decide.ts";
import { call } from "../../../../support/builders/requests/api.ts";

const CNPJ = "11222333000181";
/** Banco do Brasil's calls name a key of the application. */
const APP_KEY = "?gw-dev-app-key=d27b67790affab60136be17db0050c56";
const EMAIL = "maria@example.com";

afterAll(restoreLocalOperators);

it("the role read sees the keys of a PSP masked, of former accounts too, and no callback token", async () => {
  const world = await givenPsp({ pixKey: EMAIL });
  const { company, options } = world;
  const change = pixApiRequest({
    baseUrl: `https://pix.banco-de-teste.com.br/v2${APP_KEY}`,
    tokenUrl: "https://auth.banco-de-teste.com.br/oauth/token",
    pixKey: CNPJ,
    reason: REASON,
  });
  const proposed = await putPixApi(company, change, world);
  const approved = await approve(proposed.body.data.id, options);
  expect(approved.status, approved.text).toBe(200);
  const { body: whole } = await callAsOperator(pixApiPath(company), options);
  const token = whole.callbackUrl.split("/").at(-1);

  const { credentials } = await givenOperator("read");
  const path = `/api/v1/operator${pixApiPath(company)}`;
  const { status, text, body } = await call(path, { ...options, company: { credentials } });

  expect(status).toBe(200);
  for (const secret of [CNPJ, EMAIL, APP_KEY, token]) expect(text).not.toContain(secret);
  expect(body).toEqual({
    ...whole,
    baseUrl: "https://pix.banco-de-teste.com.br/v2",
    pixKey: "**.222.333/****-**",
    callbackUrl: whole.callbackUrl.replace(token, "***"),
    formerAccounts: [{ ...whole.formerAccounts[0], pixKey: "m***@example.com" }],
  });
});
