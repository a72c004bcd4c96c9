import type { z } from "@hono/zod-openapi";
import type { Timeline } from "../../../../api/transactions/timeline/schemas.ts";
import type { WithdrawTimeline } from "../../../../api/withdraws/timeline/schemas.ts";
import { fill } from "../../../shared/language.ts";
import type { Texts } from "../../texts.ts";

/** What happened about a payment, or a withdraw. */
export type Item = z.infer<typeof Timeline | typeof WithdrawTimeline>["items"][number];

/** The old and the new day of a change of a due date; null of any other operation. */
export function dueDatesText(
  { dueDate }: Extract<Item, { kind: "operation" }>,
  labels: Texts["payment"],
  date: (day: string) => string,
): string | null {
  if (dueDate === undefined) return null;
  return fill(labels.dueDateChange, { from: date(dueDate.from), to: date(dueDate.to) });
}

/** What an item of a timeline says, in words. */
export function whatHappened(
  item: Item,
  { payment: labels, statement }: Pick<Texts, "payment" | "statement">,
): string {
  const { event } = labels;
  const movements = { ...labels.movement, ...statement.movements };
  switch (item.kind) {
    case "created":
      return event.created;
    case "answered":
      return fill(event.answered, { status: labels.status[item.status] });
    case "payment":
      return item.expected ? event.payment : event.unexpected;
    case "operation":
      return fill(event.operation, {
        operation: labels.operation[item.operation],
        status: labels.refundStatus[item.status],
      });
    case "dispute":
      return fill(item.type === "DISPUTE" ? event.dispute : event.chargeback, {
        status: labels.disputeStatus[item.status],
      });
    case "move":
      return fill(event.move, { from: labels.status[item.from], to: labels.status[item.to] });
    case "movement":
      return fill(event.movement, { number: item.number, type: movements[item.type] });
    case "event":
      return fill(event.event, { type: item.type });
    case "attempt":
      return fill(event.attempt, { number: item.number });
    case "reminder":
      return fill(item.status === "sent" ? event.reminder : event.reminderFailed, {
        number: item.number,
      });
  }
}
