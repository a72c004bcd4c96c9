import type {
  changeApplication,
  createApplication,
  listApplications,
} from "../../../../api/applications/routes.ts";
import { asTyped } from "../../form.ts";
import type { JsonOf, RouteBody } from "../../../../http/openapi/route-types.ts";
import type { ConsoleContext } from "../../context.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { parseReais, typedReais } from "../../../../domain/shared/money.ts";
import type { Language } from "../../texts.ts";

export type Application = RouteBody<typeof listApplications>["items"][number];

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
  spendingLimitsUntil: string;
}

/** The typed fields of a posted form, what it showed before (JSON), and its idempotency key. */
export async function typedApplication(
  c: ConsoleContext,
): Promise<{ typed: TypedApplication; shown: string; idempotencyKey: string }> {
  const form = await c.req.formData();
  const field = (name: string) => fieldIn(form, name);
  const typed = {
    name: field("name"),
    scopes: form.getAll("scopes").filter((each) => typeof each === "string"),
    networks: field("networks"),
    expiresOn: field("expiresOn"),
    dailyLimit: field("dailyLimit"),
    pixKeys: field("pixKeys"),
    spendingLimitsUntil: field("spendingLimitsUntil"),
  };
  return { typed, shown: field("shown"), idempotencyKey: field("idempotencyKey") };
}

/** An application as a form shows it. */
export function typedOf(
  { name, scopes, networks, expiresAt, spendingLimits }: Application,
  language: Language,
) {
  return {
    name,
    scopes,
    networks: networks?.join(", ") ?? "",
    expiresOn: dayOf(expiresAt),
    dailyLimit: typedReais(spendingLimits?.dailyLimit ?? null, language),
    pixKeys: spendingLimits?.pixKeys?.join(", ") ?? "",
    spendingLimitsUntil: dayOf(spendingLimits?.until ?? null),
  } satisfies TypedApplication;
}

/**
 * The API's request for what differs from what the form showed. What nobody touched is not sent, so that it undoes
 * no change of another person, and an end keeps its time of the day.
 */
export function changeRequest(
  typed: TypedApplication,
  shown: Partial<TypedApplication>,
): JsonOf<typeof changeApplication> {
  const isSame = (...names: (keyof TypedApplication)[]) =>
    names.every((name) => String(typed[name]) === String(shown[name]));
  const { name, scopes, networks, expiresAt, spendingLimits } = applicationRequest(typed);
  return {
    ...(isSame("name") ? {} : { name }),
    ...(isSame("scopes") ? {} : { scopes }),
    ...(isSame("networks") ? {} : { networks }),
    ...(isSame("expiresOn") ? {} : { expiresAt }),
    ...(isSame("dailyLimit", "pixKeys", "spendingLimitsUntil") ? {} : { spendingLimits }),
  };
}

function dayOf(iso: string | null): string {
  return iso === null ? "" : saoPauloDay(Date.parse(iso));
}

/** A field's text; empty for a file or none. */
export function fieldIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** The API's request for what was typed. What it cannot be is sent as typed: the API refuses it. */
export function applicationRequest(typed: TypedApplication): JsonOf<typeof createApplication> {
  const { name, scopes, expiresOn } = typed;
  return {
    name,
    scopes: scopes.map(asTyped),
    networks: linesOf(typed.networks),
    expiresAt: endOfDay(expiresOn),
    spendingLimits: spendingLimitsOf(typed),
  };
}

/** A `YYYY-MM-DD` day's end for the API; null for none. */
export function endOfDay(day: string): string | null {
  return day === "" ? null : `${day}${END_OF_DAY}`;
}

function spendingLimitsOf({ dailyLimit, pixKeys, spendingLimitsUntil }: TypedApplication) {
  const keys = linesOf(pixKeys);
  if (dailyLimit === "" && keys === null && spendingLimitsUntil === "") return null;
  return {
    dailyLimit: dailyLimit === "" ? null : (parseReais(dailyLimit) ?? asTyped(dailyLimit)),
    pixKeys: keys,
    until: endOfDay(spendingLimitsUntil),
  };
}

function linesOf(text: string): string[] | null {
  const lines = text.split(/[\s,;]+/).filter((line) => line !== "");
  return lines.length === 0 ? null : lines;
}
