/**
 * `npm run demo`: a charge, its payment, its webhook and a withdraw, against a service with an empty
 * database that the demo starts. Exits with 1 at the first step that fails.
 */
import { centsToReais } from "../../src/domain/shared/money.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { renderUnicodeCompact } from "uqr";
import { Merchant, type MerchantAnswer } from "../lib/merchant.ts";
import { startReceiver, type Received } from "../lib/receiver.ts";
import { startService } from "../lib/service.ts";

/** A webhook arrives in well under a second. The rest is for slow machines. */
const WEBHOOK_TIMEOUT_MS = 20_000;
const AMOUNT = 12_345;
const WITHDRAW = 10_000;

const stateDir = mkdtempSync(join(tmpdir(), "centavo-demo-"));
const receiver = await startReceiver();
step("Start the service with an empty database");
const service = await startService({ stateDir });
console.log(`   the service runs on ${service.base}, the merchant's receiver on ${receiver.url}`);

try {
  await run();
  console.log("\nAll steps succeeded.");
} catch (error) {
  console.error(`\nThe step failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await service.stop();
  await receiver.close();
  rmSync(stateDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const merchant = new Merchant(service.base);

  step("Set the company's webhook URL");
  const endpoint = await merchant.call("PUT", "/api/v1/webhooks/endpoint", { url: receiver.url });
  expect(endpoint.status === 200, describe("PUT endpoint", endpoint));

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

  step("The payer pays (the sandbox simulates the bank)");
  const paid = await merchant.pay(id);
  expect(paid.status === 200 && paid.body.data.status === "PAID", describe("pay", paid));

  step("The webhook arrives with a valid signature");
  const paidEvent = await nextEvent(merchant, "transaction.paid");
  expect(paidEvent.data.id === id, "the webhook is for another transaction");
  console.log(`   ${paidEvent.type}: ${paidEvent.data.id} is ${paidEvent.data.status}`);

  step("The balance shows the money");
  const balance = await merchant.balance();
  expect(balance.body.accBalance === centsToReais(AMOUNT), describe("balance", balance));
  console.log(`   available: ${reais(AMOUNT)}`);

  step(`Withdraw ${reais(WITHDRAW)} to the registered PIX key`);
  const withdraw = await merchant.withdraw(
    { amount: WITHDRAW, metadata: { payroll: 7 } },
    "wd_demo",
  );
  expect(withdraw.status === 201, describe("withdraw", withdraw));
  expect(withdraw.body.enTransaction === "Awaiting", "the withdraw is not Awaiting");

  step("The webhook of the paid withdraw arrives");
  const withdrawEvent = await nextEvent(merchant, "withdraw.paid");
  expect(withdrawEvent.data.metadata === '{"payroll":7}', "the webhook lacks the metadata");
  const current = await merchant.call("GET", `/api/Withdraw/${withdraw.body.id}`);
  const { enTransaction, value, pixKey, endToEndId } = current.body;
  expect(enTransaction === "Paid", describe("withdraw", current));
  console.log(`   ${value} reais reached ${pixKey} as ${endToEndId}`);

  step("The statement shows every posting");
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
  expect(last?.balance === AMOUNT - WITHDRAW, "the last line has the wrong balance");
}

/** The next webhook of a type, verified by the `standardwebhooks` package. */
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
  return centsToReais(cents).toLocaleString("pt-BR", { style: "currency", currency: "BRL" });
}

function describe(request: string, answer: MerchantAnswer): string {
  return `${request} returned ${answer.status}: ${JSON.stringify(answer.body)}`;
}

function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
