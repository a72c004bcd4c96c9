import { reaisText, reaisToCents } from "../../../src/domain/shared/money.ts";
import { whatHappened } from "../../../src/pages/console/screens/payment/what-happened.ts";
import en from "../../../src/pages/console/texts/en.json" with { type: "json" };
import type { Schemas } from "../src/index.ts";
import { summaryOf } from "./charges.ts";
import type { Call, Command } from "./command.ts";
import { named, printable } from "./output.ts";

type Item = Schemas["TransactionTimeline"]["items"][number] | WithdrawItem;
type WithdrawItem = Schemas["WithdrawTimeline"]["items"][number];

/** A withdraw's id is a number, a charge's a UUID. */
const WITHDRAW_ID = /^\d{1,15}$/;

/** How a charge or withdraw stands, and all that happened to it. */
export const inspectCommand: Command = {
  name: "inspect",
  summary: "tells how a charge or withdraw stands, and all that happened to it",
  argument: "ID",
  run: (call) => (WITHDRAW_ID.test(call.argument) ? inspectWithdraw(call) : inspectCharge(call)),
};

async function inspectCharge(call: Call): Promise<void> {
  const { transactions } = call.centavo();
  const charge = await transactions.get(call.argument);
  const timeline = await transactions.timeline(call.argument);
  const rows = { ...summaryOf(charge), payer: charge.payer?.name, page: charge.secureUrl };
  call.output.say(textOf(rows, timeline.items), { ...charge, timeline: timeline.items });
}

async function inspectWithdraw(call: Call): Promise<void> {
  const { withdraws } = call.centavo();
  const id = Number(call.argument);
  const withdraw = await withdraws.get(id);
  const { items } = await withdraws.timeline(id);
  const rows = {
    withdraw: withdraw.id,
    status: withdraw.enTransaction,
    amount: reaisText(reaisToCents(withdraw.value)),
    key: withdraw.pixKey,
    approval: withdraw.approval === "none" ? null : withdraw.approval,
    failure: withdraw.failureReason?.message,
  };
  call.output.say(textOf(rows, items), { ...withdraw, timeline: items });
}

function textOf(rows: Parameters<typeof named>[0], items: readonly Item[]): string {
  const lines = items.map((item) =>
    printable([item.at, whatHappened(item, en), detailsOf(item)].filter(Boolean).join("  ")),
  );
  return [named(rows), "", ...lines].join("\n");
}

/** What stands beside it: the amount, why, or how an attempt ended. */
function detailsOf(item: Item): string {
  switch (item.kind) {
    case "created":
    case "payment":
    case "dispute":
      return reaisText(item.amount);
    case "operation":
      return [item.amount === 0 ? null : reaisText(item.amount), item.reason]
        .filter(Boolean)
        .join(", ");
    case "answered":
      return item.reason ?? "";
    case "attempt":
      return `${item.httpStatus ?? item.fault ?? ""}, ${item.durationMs} ms`;
    case "move":
    case "movement":
    case "event":
    case "reminder":
      return "";
  }
}
