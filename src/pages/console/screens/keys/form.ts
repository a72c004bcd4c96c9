import type { ConsoleContext } from "../../context.ts";
import { centsOf } from "../../format.ts";

/** The last second of the gateway's day. */
const END_OF_DAY = "T23:59:59-03:00";

/** What was typed about an application, as typed. */
export interface TypedApplication {
  name: string;
  scopes: string[];
  networks: string;
  expiresOn: string;
  dailyLimit: string;
  pixKeys: string;
  mandateUntil: string;
}

/** The typed fields of a posted form, and its idempotency key. */
export async function typedApplication(
  c: ConsoleContext,
): Promise<{ typed: TypedApplication; idempotencyKey: string }> {
  const form = await c.req.formData();
  const field = (name: string) => fieldIn(form, name);
  const typed = {
    name: field("name"),
    scopes: form.getAll("scopes").filter((each) => typeof each === "string"),
    networks: field("networks"),
    expiresOn: field("expiresOn"),
    dailyLimit: field("dailyLimit"),
    pixKeys: field("pixKeys"),
    mandateUntil: field("mandateUntil"),
  };
  return { typed, idempotencyKey: field("idempotencyKey") };
}

/** A field's text; empty for a file or none. */
export function fieldIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** The API's request for what was typed. What it cannot be is sent as typed: the API refuses it. */
export function applicationRequest(typed: TypedApplication) {
  const { name, scopes, expiresOn } = typed;
  return {
    name,
    scopes,
    networks: linesOf(typed.networks),
    expiresAt: endOfDay(expiresOn),
    mandate: mandateOf(typed),
  };
}

/** A `YYYY-MM-DD` day's end for the API; null for none. */
export function endOfDay(day: string): string | null {
  return day === "" ? null : `${day}${END_OF_DAY}`;
}

function mandateOf({ dailyLimit, pixKeys, mandateUntil }: TypedApplication) {
  const keys = linesOf(pixKeys);
  if (dailyLimit === "" && keys === null && mandateUntil === "") return null;
  return {
    dailyLimit: dailyLimit === "" ? null : (centsOf(dailyLimit) ?? dailyLimit),
    pixKeys: keys,
    until: endOfDay(mandateUntil),
  };
}

function linesOf(text: string): string[] | null {
  const lines = text.split(/[\s,;]+/).filter((line) => line !== "");
  return lines.length === 0 ? null : lines;
}
