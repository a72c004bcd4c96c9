import { rmSync } from "node:fs";
import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Merchant } from "../../tools/lib/merchant.ts";
import { startService, type Service } from "../../tools/lib/service.ts";
import { UNBUNDLED } from "./bundled-worker.ts";
import { LocalFakes } from "./local-fakes.ts";
import { givenStateDir } from "./state-dir.ts";

const stateDir = await givenStateDir("e2e");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir, env: UNBUNDLED });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

it("npm start prints the address, both credentials and three things to try", () => {
  const output = service.output();
  expect(output).toContain(service.base);
  for (const credential of [
    "app_local_loja",
    "sk_test_local_loja",
    "app_local_outra",
    "sk_test_local_outra",
  ]) {
    expect(output).toContain(credential);
  }
  expect(output).toMatch(/1\. Charge.*2\. Pay it as the payer.*3\. See the money/s);
});

it("the company without a PIX key gets an error of one message field", async () => {
  const answer = await new Merchant(service.base, 2).withdraw({ amount: 1_000 }, "wd_no_key");
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body)).toEqual(["message"]);
});

it("a local webhook over http may go to loopback and nowhere else", async () => {
  const merchant = new Merchant(service.base);
  const put = (url: string) => merchant.call("PUT", "/api/v1/webhooks/endpoint", { url });
  expect((await put("http://localhost:9/hook")).status).toBe(200);
  expect((await put("http://example.com/hook")).status).toBe(400);
  expect((await put("")).status).toBe(200);
});

it("rejects a body of 60 MB and keeps working", async () => {
  const merchant = new Merchant(service.base);
  const large = { amount: 1, metadata: "x".repeat(60_000_000) };
  // Answered before it is read, it may cost its sender the connection and the answer (RFC 9110, 15.5.14).
  const answer = await merchant.create(large, "tx_big").catch(() => null);
  expect(answer?.status ?? 413).toBe(413);
  expect(answer?.body.code ?? "BODY_TOO_LARGE").toBe("BODY_TOO_LARGE");
  expect((await merchant.balance()).status).toBe(200);
});

describe("npm run fakes", () => {
  const AMOUNTS = { pix: 2_500, boleto: 8_000, card: 9_100 };
  let fakes: LocalFakes;
  beforeAll(async () => {
    fakes = await LocalFakes.start(service.base);
  });
  afterAll(() => fakes.stop());

  const pix = () => fakes.sell({ amount: AMOUNTS.pix, paymentMethod: "PIX" });
  const boleto = () => fakes.sell({ amount: AMOUNTS.boleto, paymentMethod: "BOLETO" });

  it("sells a PIX, a boleto and a card of a live company, and lists the calls", async () => {
    const sold = [await pix(), await boleto()];
    for (const charge of sold) await fakes.pay(charge);
    for (const charge of [...sold, await fakes.sellByCard(AMOUNTS.card)])
      await fakes.untilPaid(charge);
    expect(await fakes.calls("psp")).toContain("PUT /cob/:id 201");
    expect(await fakes.calls("efi")).toContain("POST /v1/charge/:id/pay 200");
    expect(await fakes.calls("pagarme")).toEqual(
      expect.arrayContaining(["POST /tokens 200", "POST /orders 200"]),
    );
  });

  it("lies as it is told, and names what it knows", async () => {
    expect(await fakes.post("efi", "/lies", { kind: "unheard_of" })).toBe(400);
    expect(await fakes.post("efi", "/lies", { kind: "page_502", count: "0" })).toBe(400);
  });

  it("a boleto survives 200 with an error, and HTML; cancelled and paid late it is told five times", async () => {
    const before = (await fakes.calls("efi")).length;
    await fakes.lie("efi", "error_200", "POST /v1/charge");
    await fakes.lie("efi", "page_502", "POST /v1/charge/");
    const sold = await boleto();
    const path = `/api/v1/transactions/${sold.id}/cancel`;
    const cancelled = await fakes.merchant.call("POST", path, undefined, {
      "Idempotency-Key": "c",
    });
    expect(cancelled.body.data.status).toBe("CANCELLED");

    await fakes.pay(sold);
    await fakes.untilPaid(sold);
    const calls = (await fakes.calls("efi")).slice(before);
    const creations = calls.filter((call) => call.startsWith("POST "));
    expect(creations).toEqual([
      "POST /v1/charge 200",
      "POST /v1/charge 200",
      "POST /v1/charge/:id/pay 502",
      "POST /v1/charge/:id/pay 200",
    ]);
    const told = calls.filter((call) => call === "GET /v1/notification/:id 200");
    expect(told.length).toBeGreaterThanOrEqual(5);
  });

  it("a PIX survives times without an offset", async () => {
    await fakes.lie("psp", "no_offset", "PUT /cob");
    const sold = await pix();
    await fakes.lie("psp", "no_offset", "GET /pix");
    await fakes.pay(sold);
    await fakes.untilPaid(sold);
  });

  it("a card survives a broken answer, and an HTML page where it is looked up", async () => {
    await fakes.lie("pagarme", "malformed", "POST /orders");
    await fakes.lie("pagarme", "page_502", "GET /orders");
    await fakes.untilPaid(await fakes.sellByCard(AMOUNTS.card));
    expect(await fakes.calls("pagarme")).toContain("GET /orders 502");
  });

  it("every sale is credited once", async () => {
    const { companyId } = await fakes.charge((await pix()).id);
    const path = `/api/Balance/balance/${companyId}?currency=BRL`;
    const { body } = await fakes.merchant.call("GET", path);
    const sum = 2 * (AMOUNTS.pix + AMOUNTS.boleto + AMOUNTS.card);
    expect(body.accBalanceCredit).toBe(sum / 100);
  });
});

it("a second start finds all data again", async () => {
  const merchant = new Merchant(service.base);
  const created = await merchant.create({ amount: 2_500, paymentMethod: "PIX" }, "tx_kept");
  await merchant.pay(created.body.data.id);
  const before = await merchant.balance();
  await service.stop();
  // At the same address, which the payer's page has.
  service = await startService({ stateDir, port: Number(new URL(service.base).port) });
  const again = new Merchant(service.base);
  expect((await again.balance()).body).toEqual(before.body);
  const replay = await again.create({ amount: 2_500, paymentMethod: "PIX" }, "tx_kept");
  expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  expect(replay.body).toEqual(created.body);
});

it("failed logins beyond 300 a minute are refused, and the right key is admitted", async () => {
  const address = { "CF-Connecting-IP": "203.0.113.7" };
  const list = (credentials: Record<string, string>) =>
    fetch(`${service.base}/api/Transaction/company/transactions`, {
      headers: { ...address, ...credentials },
    });
  const wrong = { "X-Client-Id": "app_local_loja", "X-API-Key": "sk_test_wrong" };
  const statuses: number[] = [];
  for (let login = 1; login <= 301; login++) {
    const answer = await list(wrong);
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  expect(statuses.slice(0, 300).every((status) => status === 401)).toBe(true);
  expect(statuses[300]).toBe(429);
  expect((await list({ ...wrong, "X-API-Key": "sk_test_local_loja" })).status).toBe(200);
});

it("a name that is rebound to this machine is refused", async () => {
  const { port } = new URL(service.base);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { Host: `rebound.example:${port}` };
    get({ host: "localhost", port, path: "/docs/", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on("error", reject);
  });
  expect(status).toBe(403);
});
