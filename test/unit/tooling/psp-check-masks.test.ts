import { expect, it } from "vitest";
import { Bench } from "../../../tools/lib/psp-check/bench.ts";
import { parseConfig } from "../../../tools/lib/psp-check/config.ts";
import { answerText, maskOf, requestText } from "../../../tools/lib/psp-check/exchange-text.ts";

const SECRET = 'Kq7 %/"9z'.repeat(8);
const KEY = "app-key-of-the-address";
const CALLBACK = "t0ken-of-the-callback";

function given() {
  const file = {
    baseUrl: `https://psp.test/v2?gw-app-key=${KEY}`,
    tokenUrl: "https://psp.test/token",
    clientId: "client",
    clientSecret: SECRET,
    pixKey: "maria@example.com",
    webhookUrl: `https://api.test/callbacks/pix-api/${CALLBACK}`,
  };
  const read = parseConfig(file, ".");
  if (!read.valid) throw new Error(JSON.stringify(read.faults));
  return new Bench(read.config, async () => Response.json({}), 1_000);
}

async function said(bench: Bench, sent: string, text: string) {
  bench.begin("token");
  const send = new Request("https://psp.test/token", { method: "POST", body: sent });
  await bench.fetch(send).then((response) => response.text());
  const exchange = { ...bench.last!, text, status: 200 };
  bench.exchanges.push(exchange);
  const mask = maskOf(bench);
  return `${requestText(exchange, mask)} ${answerText(exchange, mask)}`;
}

it.each([
  ["a form", (secret: string) => new URLSearchParams({ client_secret: secret }).toString()],
  ["JSON", (secret: string) => JSON.stringify({ client_secret: secret })],
  ["an address", (secret: string) => `x=${encodeURIComponent(secret)}`],
])("no part of a secret is printed, wherever it is cut: %s", async (_where, written) => {
  const bench = given();
  const token = `eyJ${"abcdefgh".repeat(12)}`;
  for (let room = 500; room < 620; room += 7) {
    const line = await said(
      bench,
      `${"-".repeat(room - 560 > 0 ? room - 560 : 0)}${"-".repeat(500)}${written(SECRET)}`,
      `${" ".repeat(1)}{"x":"${"-".repeat(room - 20)}","access_token":"${token}"}`,
    );
    expect(line).not.toContain("Kq7");
    expect(line).not.toContain("9z");
    expect(line).not.toContain("eyJ");
  }
});

it("tokens of before, keys of the address and of the callback are masked", async () => {
  const bench = given();
  await said(bench, "", JSON.stringify({ access_token: "first-token", token_type: "Bearer" }));
  await said(bench, "", JSON.stringify({ access_token: "second-token", token_type: "Bearer" }));

  const line = await said(bench, "first-token", `second-token ${KEY} ${CALLBACK}`);

  expect(line).toMatch(/\*\*\* 200 \*\*\* \*\*\* \*\*\*$/);
});
