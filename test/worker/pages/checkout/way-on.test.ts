import { createHmac, createPublicKey, verify } from "node:crypto";
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

/** What a merchant does with the address that its payer came back to, by the recipe of docs/checkout.md. */
function verified(location: string | null): Record<string, string> {
  const query = Object.fromEntries(new URL(location ?? "").searchParams);
  const { transactionId, status, timestamp, signature = "" } = query;
  const text = ["centavo:return-url", transactionId, status, timestamp].join("\n");
  const key = Buffer.from(company.webhookSecret.slice("whsec_".length), "base64");
  const expected = `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
  if (!signature.split(" ").includes(expected)) throw new Error("not signed");
  return query;
}

describe("the way back to the merchant", () => {
  it("is offered after the payment, and says transaction and status, signed", async () => {
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

  it("cannot be sent as a webhook, whatever a payer makes of it", async () => {
    const { id, secureId } = await givenTransaction(company, { returnUrl: RETURN_URL });
    await pay(company, id);
    const { headers } = await call(`/checkout/${secureId}/return`);
    const query = verified(headers.get("Location"));
    const { status = "", timestamp = "", signature = "" } = query;
    const text = `centavo:return-url\n${id}\n${status}\n${timestamp}`;
    const bodies = [JSON.stringify({ transactionId: id, status }), text, "", status];
    for (const webhookId of [id, "", "centavo:return-url", text]) {
      for (const body of bodies) {
        const sent = {
          "webhook-id": webhookId,
          "webhook-timestamp": timestamp,
          "webhook-signature": signature,
        };
        expect(() => new Webhook(company.webhookSecret).verify(body, sent)).toThrow();
      }
    }
    // A webhook's text joins its parts by two dots.
    expect(text).not.toContain(".");
  });

  it("is signed with the company's public key, too", async () => {
    const { id, secureId } = await givenTransaction(company, { returnUrl: RETURN_URL });
    await pay(company, id);
    const { headers } = await call(`/checkout/${secureId}/return`);
    const { status, timestamp, signature = "" } = verified(headers.get("Location"));
    const published = await call(`/.well-known/webhook-keys.json?company=${company.id}`);
    const { kty, crv, x } = published.body.keys[0];
    const part = signature
      .split(" ")
      .find((one) => one.startsWith("v1a,"))!
      .slice("v1a,".length);
    const text = Buffer.from(`centavo:return-url\n${id}\n${status}\n${timestamp}`);
    const key = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
    expect(verify(null, text, key, Buffer.from(part, "base64"))).toBe(true);
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
