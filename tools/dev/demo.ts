/**
 * `npm run demo`: the whole path in the reader's sight, against a service that it starts itself with
 * an empty database. Exits 1 at the first step that is not as promised.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { renderUnicodeCompact } from "uqr";
import { Merchant, type MerchantAnswer } from "../lib/merchant.ts";
import { startReceiver, type Received } from "../lib/receiver.ts";
import { startService } from "../lib/service.ts";

/** A webhook comes in well under a second; this is for slow machines. */
const WEBHOOK_TIMEOUT_MS = 20_000;
const AMOUNT = 12_345;
const WITHDRAW = 10_000;

const stateDir = mkdtempSync(join(tmpdir(), "centavo-demo-"));
const receiver = await startReceiver();
step("Start the service with an empty database");
const service = await startService({ stateDir });
console.log(`   it serves on ${service.base}; a merchant's receiver listens on ${receiver.url}`);

try {
  await run();
  console.log("\nEverything was as promised.");
} catch (error) {
  console.error(`\nNot as promised: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await service.stop();
  await receiver.close();
  rmSync(stateDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const merchant = new Merchant(service.base);

  step("Say where this company's webhooks go");
  const endpoint = await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: receiver.url });
  expect(endpoint.status === 200, `PUT endpoint answered ${endpoint.status}`);

  step(`Charge ${reais(AMOUNT)} by PIX`);
  const created = await merchant.create(
    { amount: AMOUNT, paymentMethod: "PIX", customer: { name: "Maria da Silva" } },
    "tx_demo",
  );
  expect(created.status === 200, describe("create", created));
  const { id, status, pix } = created.body.data;
  expect(status === "WAITING_PAYMENT", `the status is ${status}`);
  console.log(renderUnicodeCompact(pix.qrcode, { border: 2 }));
  console.log(`   ${pix.qrcode}`);

  step("The payer pays (the sandbox plays the bank)");
  const paid = await merchant.pay(id);
  expect(paid.status === 200 && paid.body.data.status === "PAID", describe("pay", paid));

  step("The webhook comes, and its signature holds");
  const paidEvent = await nextEvent(merchant, "transaction.paid");
  expect(paidEvent.data.id === id, "it is about another transaction");
  console.log(`   ${paidEvent.type}: ${paidEvent.data.id} is ${paidEvent.data.status}`);

  step("The money is there");
  const balance = await merchant.balance();
  expect(balance.body.accBalance === AMOUNT / 100, describe("balance", balance));
  console.log(`   available: ${reais(AMOUNT)}`);

  step(`Withdraw ${reais(WITHDRAW)} to the registered PIX key`);
  const withdraw = await merchant.withdraw(
    { amount: WITHDRAW, metadata: { payroll: 7 } },
    "wd_demo",
  );
  expect(withdraw.status === 201, describe("withdraw", withdraw));
  expect(withdraw.body.enTransaction === "Awaiting", "it is not Awaiting");

  step("Its webhook comes, and it is Paid");
  const withdrawEvent = await nextEvent(merchant, "withdraw.paid");
  expect(withdrawEvent.data.metadata === '{"payroll":7}', "its metadata did not come back");
  const seen = await merchant.call("GET", `/api/Withdraw/${withdraw.body.id}`);
  expect(seen.body.enTransaction === "Paid", describe("withdraw", seen));
  console.log(`   ${seen.body.value} reais reached ${seen.body.pixKey} as ${seen.body.endToEndId}`);

  step("Every centavo is a posting");
  await printStatement(merchant);
}

async function printStatement(merchant: Merchant): Promise<void> {
  const answer = await merchant.call("GET", "/api/Balance/statement/1?currency=BRL");
  expect(answer.status === 200, describe("statement", answer));
  const lines: { type: string; account: string; amount: number; balance: number }[] =
    answer.body.items;
  for (const { type, account, amount, balance } of lines) {
    console.log(
      `   ${type.padEnd(20)} ${account.padEnd(10)} ${reais(amount).padStart(12)} ${reais(balance).padStart(12)}`,
    );
  }
  const last = lines.findLast((line) => line.account === "available");
  expect(last?.balance === AMOUNT - WITHDRAW, "the last line is not what is left");
}

/** The next webhook of a type, verified by a library that is not ours. */
async function nextEvent(merchant: Merchant, type: string) {
  const received = await receiver.waitFor((one) => typeOf(one) === type, WEBHOOK_TIMEOUT_MS);
  const verified = new Webhook(merchant.webhookSecret).verify(received.body, received.headers);
  return verified as { type: string; data: { id: string; status: string; metadata: string } };
}

function typeOf(received: Received): string {
  return (JSON.parse(received.body) as { type: string }).type;
}

function step(title: string): void {
  console.log(`\n-- ${title}`);
}

function reais(cents: number): string {
  return (cents / 100).toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
}

function describe(what: string, answer: MerchantAnswer): string {
  return `${what} answered ${answer.status}: ${JSON.stringify(answer.body)}`;
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
