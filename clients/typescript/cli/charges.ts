import { reaisText } from "../../../src/domain/shared/money.ts";
import {
  ApiError,
  brl,
  CentavoError,
  type CallOptions,
  type Schemas,
  type Transaction,
} from "../src/index.ts";
import type { Call, Command, Option } from "./command.ts";
import { drawnQr } from "./drawn-qr.ts";
import { CliError, explained } from "./failure.ts";
import { named, printable } from "./output.ts";

const METHODS = ["pix", "boleto"] as const;
const AMOUNT: Option = { value: "REAIS", help: "as 25,00 or 1.250,00" };
const KEY: Option = {
  value: "KEY",
  help: "repeats a call that had no answer, and does nothing twice",
};
const QR: Option = { help: "draws the PIX code as a QR code" };
const LIST_LIMIT = 20;

const createCommand: Command = {
  name: "charges create",
  summary: "charges a payer by PIX or boleto",
  options: {
    amount: AMOUNT,
    method: { value: "pix|boleto", help: "how it is paid (default: pix)", choices: METHODS },
    ref: { value: "TEXT", help: "your order's number" },
    name: { value: "NAME", help: "the payer's name; a boleto needs it" },
    document: { value: "CPF|CNPJ", help: "the payer's document; a boleto needs it" },
    qr: QR,
    key: KEY,
  },
  run: create,
};

const getCommand: Command = {
  name: "charges get",
  summary: "shows a charge",
  argument: "ID",
  options: { qr: QR },
  run: async (call) => show(call, await call.centavo().transactions.get(call.argument)),
};

const listCommand: Command = {
  name: "charges list",
  summary: "lists the newest charges",
  options: {
    ref: { value: "TEXT", help: "those of your order's number" },
    limit: { value: "N", help: `how many, 1 to 100 (default: ${LIST_LIMIT})` },
  },
  run: list,
};

const payCommand: Command = {
  name: "charges pay",
  summary: "plays the payer (sandbox companies only)",
  argument: "ID",
  run: async (call) => show(call, await call.centavo().sandbox.pay(call.argument)),
};

const refundCommand: Command = {
  name: "charges refund",
  summary: "gives a payment back, or a part of it",
  argument: "ID",
  options: { amount: { ...AMOUNT, help: "the part, as 5,00; else all that is left" }, key: KEY },
  run: (call) => {
    const amount = centsOf(call.text("amount"));
    const body = amount === undefined ? {} : { amount };
    const { transactions } = call.centavo();
    return doOnce(call, (options) => transactions.refund(call.argument, body, options));
  },
};

const cancelCommand: Command = {
  name: "charges cancel",
  summary: "ends an unpaid charge",
  argument: "ID",
  run: async (call) => show(call, await call.centavo().transactions.cancel(call.argument)),
};

/** Charges: make, find, play their payer, give back. */
export const CHARGE_COMMANDS: readonly Command[] = [
  createCommand,
  getCommand,
  listCommand,
  payCommand,
  refundCommand,
  cancelCommand,
];

async function create(call: Call): Promise<void> {
  const amount = centsOf(call.text("amount"));
  if (amount === undefined) throw new CliError("charges create needs --amount, as 25,00.", 2);
  const method = call.choice("method", METHODS, "pix");
  const [ref, name, number] = [call.text("ref"), call.text("name"), call.text("document")];
  const customer = {
    ...(name === undefined ? {} : { name }),
    ...(number === undefined ? {} : { document: { number } }),
  };
  const body: Schemas["CreateTransactionInput"] = {
    amount,
    paymentMethod: method === "pix" ? "PIX" : "BOLETO",
    ...(ref === undefined ? {} : { externalRef: ref }),
    ...(Object.keys(customer).length === 0 ? {} : { customer }),
  };
  const { transactions } = call.centavo();
  await doOnce(call, (options) => transactions.create(body, options));
}

/** Does what must not be done twice, and shows the charge. Where it may be done, it says how to learn what became of it. */
async function doOnce(
  call: Call,
  run: (options: CallOptions) => Promise<Transaction>,
): Promise<void> {
  const idempotencyKey = call.text("key") ?? `cli_${crypto.randomUUID()}`;
  try {
    show(call, await run({ idempotencyKey }));
  } catch (error) {
    if (!mayBeDone(error)) throw error;
    const { message } = explained(error, call.account.url) as CliError;
    throw new CliError(`${message} It may be done: repeat it with --key ${idempotencyKey}.`);
  }
}

/** Whether a failed call may have been done; one that was too many was not. */
function mayBeDone(error: unknown): error is CentavoError {
  if (!(error instanceof CentavoError) || !error.retryable) return false;
  return !(error instanceof ApiError && error.status === 429);
}

function show(call: Call, charge: Transaction): void {
  const isOpen = charge.status === "WAITING_PAYMENT";
  const code = isOpen ? charge.pix?.qrcode : undefined;
  const boleto = isOpen ? charge.boleto?.digitableLine : undefined;
  const rows = { ...summaryOf(charge), pix: code, boleto, page: charge.secureUrl };
  call.output.say(named(rows), charge);
  if (call.has("qr") && code !== undefined && !call.output.isJson)
    call.output.draw(drawnQr(code, process.stdout.isTTY));
}

/** What a charge is, in rows. */
export function summaryOf(charge: Transaction): Record<string, string | null | undefined> {
  return {
    charge: charge.id,
    status: charge.status,
    amount: reaisText(charge.amount),
    paid: charge.paidAmount === null ? null : reaisText(charge.paidAmount),
    refunded: charge.refundedAmount === 0 ? null : reaisText(charge.refundedAmount),
    refunding: refundingOf(charge),
    failure: charge.failureReason?.message,
    order: charge.externalRef,
  };
}

/** The sum of refunds that are under way, or wait for somebody's approval; null for none. */
function refundingOf({ refunds = [] }: Transaction): string | null {
  const pending = refunds.filter(({ status }) => status === "PENDING");
  if (pending.length === 0) return null;
  const sum = reaisText(pending.reduce((cents, { amount }) => cents + amount, 0));
  const isWaiting = pending.some(({ approval }) => approval === "pending");
  return isWaiting ? `${sum}, waits for an approval` : sum;
}

async function list(call: Call): Promise<void> {
  const ref = call.text("ref");
  const page = await call.centavo().transactions.search({
    limit: limitOf(call.text("limit")),
    ...(ref === undefined ? {} : { externalRef: ref }),
  });
  if (call.output.isJson) return call.output.say("", page);
  for (const each of page.items) {
    const { createdAt, status, amount, paymentMethod, providerTxId, externalRef } = each;
    const columns = [createdAt, status.padEnd(15), reaisText(amount).padStart(15)];
    call.output.say(
      printable(
        [...columns, paymentMethod.padEnd(11), providerTxId, externalRef].join("  ").trimEnd(),
      ),
    );
  }
  if (page.items.length === 0) call.output.say("No charges.");
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return LIST_LIMIT;
  if (/^(?:[1-9]\d?|100)$/.test(text)) return Number(text);
  throw new CliError(`--limit must be a number from 1 to 100, not "${text}".`, 2);
}

/** Centavos of an amount in reais. Throws `CliError` for any other text. */
function centsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return brl(text);
  } catch {
    throw new CliError(`--amount must be reais such as 25,00, not "${text}".`, 2);
  }
}
