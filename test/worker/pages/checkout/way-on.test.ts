import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import {
  givenTransaction,
  createTransaction,
  pay,
} from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { call } from "../../../support/builders/requests/api.ts";

const RETURN_URL = "https://loja.example.com/fim?pedido=7";

let company: TestCompany;

beforeAll(async () => {
  company = await givenCompany();
});

/** What a merchant does with the address that its payer came back to. */
function verified(location: string | null): Record<string, string> {
  const query = Object.fromEntries(new URL(location ?? "").searchParams);
  const { transactionId = "", status, timestamp = "", signature = "" } = query;
  new Webhook(company.webhookSecret).verify(JSON.stringify({ transactionId, status }), {
    "webhook-id": transactionId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  });
  return query;
}

describe("the way back to the merchant", () => {
  it("is offered after the payment, and says transaction and status, signed like a webhook", async () => {
    const { id, secureId } = await givenTransaction(company, { returnUrl: RETURN_URL });
    expect((await call(`/checkout/${secureId}`)).text).not.toContain("/return");
    await pay(company, id);
    const { text } = await call(`/checkout/${secureId}`);
    expect(text).toContain(`/checkout/${secureId}/return`);
    expect(text).not.toContain("loja.example.com");
    const { status, headers } = await call(`/checkout/${secureId}/return`);
    expect(status).toBe(303);
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    const location = headers.get("Location");
    expect(verified(location)).toMatchObject({ pedido: "7", transactionId: id, status: "PAID" });
    const forged = (location ?? "").replace("status=PAID", "status=REFUNDED");
    expect(() => verified(forged)).toThrow();
  });

  it("says an expiry as well", async () => {
    const { id, secureId } = await givenTransaction(company, { returnUrl: RETURN_URL });
    await call(`/api/v1/sandbox/transactions/${id}/expire`, { method: "POST", company });
    expect((await call(`/checkout/${secureId}`)).text).toContain("/return");
    const { headers } = await call(`/checkout/${secureId}/return`);
    expect(verified(headers.get("Location"))).toMatchObject({ status: "CANCELLED" });
  });

  it("is nowhere without a returnUrl", async () => {
    const { id, secureId } = await givenTransaction(company);
    await pay(company, id);
    expect((await call(`/checkout/${secureId}`)).text).not.toContain("/return");
    expect((await call(`/checkout/${secureId}/return`)).status).toBe(404);
  });
});

describe("returnUrl", () => {
  it("is shown by the get-by-id call, null where none was sent", async () => {
    const { id } = await givenTransaction(company, { returnUrl: RETURN_URL });
    const shown = await call(`/api/v1/transactions/${id}`, { company });
    expect(shown.body.data.returnUrl).toBe(RETURN_URL);
    const without = await givenTransaction(company, { returnUrl: "" });
    const other = await call(`/api/v1/transactions/${without.id}`, { company });
    expect(other.body.data.returnUrl).toBeNull();
  });

  it.each([
    ["http", "http://loja.example.com/fim"],
    ["a script", "javascript:alert(1)"],
    ["an IP address", "https://127.0.0.1/fim"],
    ["user-info", "https://a@loja.example.com/"],
    ["over 2,048 characters", `https://loja.example.com/${"a".repeat(2_048)}`],
  ])("VALIDATION_FAILED: %s", async (_, returnUrl) => {
    const answer = await createTransaction(company, { returnUrl });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["returnUrl"] });
  });
});
