import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { WebhookSink, type ReceivedWebhook } from "../../../../support/fakes/webhook-sink.ts";

const PATH = "/.well-known/webhook-keys.json";
const NAME = `GET ${PATH}`;
const POSTBACK = "https://loja.example.com/postback";

function urlSafe(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}

async function keyOf(company: TestCompany): Promise<any> {
  const answer = await call(`${PATH}?company=${company.id}`);
  return answer.body.keys[0];
}

async function givenWebhook(company: TestCompany): Promise<ReceivedWebhook> {
  const { id } = await givenTransaction(company, { postbackUrl: POSTBACK, metadata: "ção 🍕" });
  await pay(company, id);
  const sink = new WebhookSink(new TestClock());
  await sink.deliver(company, 1);
  return sink.received[0]!;
}

/** Verifies like a merchant, with only the published key. */
async function verifies(published: any, { headers, rawBody }: ReceivedWebhook): Promise<boolean> {
  const key = await crypto.subtle.importKey("jwk", published, "Ed25519", false, ["verify"]);
  const part = headers["webhook-signature"]!.split(" ").find((each) => each.startsWith("v1a,"))!;
  const signature = Uint8Array.from(atob(part.slice(4)), (char) => char.charCodeAt(0));
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${rawBody}`;
  return crypto.subtle.verify("Ed25519", key, signature, new TextEncoder().encode(signed));
}

describe("the published key of a company", () => {
  it("verifies the v1a signature of its webhooks", async () => {
    const company = await givenCompany();
    expect(await verifies(await keyOf(company), await givenWebhook(company))).toBe(true);
  });

  it("does not verify a changed body or another company's webhook", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    const webhook = await givenWebhook(ours);
    const key = await keyOf(ours);
    expect(await verifies(key, { ...webhook, rawBody: `${webhook.rawBody} ` })).toBe(false);
    expect(await verifies(await keyOf(theirs), webhook)).toBe(false);
  });

  it("is found without credentials by the number at the start of a webhook-id", async () => {
    const company = await givenCompany();
    const [, number] = (await givenWebhook(company)).id.split("_");
    const answer = await call(`${PATH}?company=${number}`, { headers: { Accept: "text/plain" } });
    await expectDocumented(NAME, answer);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600");
    expect(answer.body).toMatchObject({ keys: [{ company: company.id }] });
  });

  it("is published in three equivalent formats without its private half", async () => {
    const { x, kid, whpk, ...rest } = await keyOf(await givenCompany());
    const members = new TextEncoder().encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", members));
    expect(kid).toBe(urlSafe(btoa(String.fromCharCode(...digest))).replace("=", ""));
    expect(urlSafe(whpk)).toBe(`whpk_${x}=`);
    expect(Object.keys(rest).toSorted()).toEqual(["alg", "company", "crv", "kty", "use"]);
  });

  it("is not listed with those of other companies", async () => {
    const answer = await call(PATH);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["company"] });
  });

  it("NOT_FOUND: rejects an unknown company", async () => {
    for (const number of ["0", "99999999"]) {
      const answer = await call(`${PATH}?company=${number}`);
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });

  it.each([
    ["company", "x"],
    ["company", "-1"],
    ["company", "1.5"],
    ["company", ""],
    ["company", "123456789"],
  ])("VALIDATION_FAILED: %s=%s", async (field, value) => {
    const answer = await call(`${PATH}?${field}=${encodeURIComponent(value)}`);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });
});
