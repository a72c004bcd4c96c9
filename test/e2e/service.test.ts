import { rmSync } from "node:fs";
import { get } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Merchant } from "../../tools/lib/merchant.ts";
import { startService, type Service } from "../../tools/lib/service.ts";
import { UNBUNDLED } from "./bundled-worker.ts";
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
