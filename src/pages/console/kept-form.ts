import { configOf } from "../../config.ts";
import { seal, unseal } from "../../lib/secret-box.ts";
import type { ConsoleContext, ConsoleEnv } from "./context.ts";

/** The field that carries a sealed form through the confirmation. */
export const KEPT_FORM = "keptForm";
/** How long a form waits for its person's second factor. */
const KEPT_MS = 10 * 60_000;
/** The longest form that is kept: sealed and encoded it still fits into a post. */
const KEPT_LENGTH_MAX = 32 * 1_024;
const FORM_TYPE = "application/x-www-form-urlencoded";

/** A form that waits for the second factor of the person who sent it. */
interface KeptForm {
  /** Where it goes, with its query. */
  path: string;
  /** The page that showed it. */
  page: string;
  /** The company that it acts in; null on a page of no company. */
  companyId: number | null;
  /** Unix milliseconds. */
  until: number;
  /** Its fields, URL-encoded. */
  fields: string;
}

/** A sealed form, and where it goes. */
export interface SealedForm {
  sealed: string;
  path: string;
}

/**
 * The form of a request, sealed for the person who sent it, its path and its company; null for what is no form, has
 * files or is too long. A proof by passkey begins another session, so it is bound to the person.
 */
export async function keepForm(c: ConsoleContext, page: string): Promise<SealedForm | null> {
  const fields = await formText(c);
  if (fields === null || fields.length > KEPT_LENGTH_MAX) return null;
  const path = pathOf(c);
  const until = nowOf(c) + KEPT_MS;
  const kept: KeptForm = { path, page, companyId: companyOf(c), until, fields };
  return { path, sealed: await seal(ringOf(c), JSON.stringify(kept), contextOf(c)) };
}

/** The form that `keepForm` sealed for this person; null for another's, one that waited too long, or another text. */
export async function openForm(c: ConsoleContext, sealed: string): Promise<KeptForm | null> {
  const text = await unseal(ringOf(c), sealed, contextOf(c)).catch(() => null);
  if (text === null) return null;
  const kept = JSON.parse(text) as KeptForm;
  return kept.until > nowOf(c) ? kept : null;
}

/**
 * Puts the kept form of a request in the place of its body. False for a kept form that is not this person's, path's or
 * company's, or waited too long; true for a request without one.
 */
export async function restoreForm(c: ConsoleContext): Promise<boolean> {
  const text = await formText(c);
  const sealed = text === null ? null : new URLSearchParams(text).get(KEPT_FORM);
  if (sealed === null) return true;
  const kept = await openForm(c, sealed);
  if (kept === null || kept.path !== pathOf(c) || kept.companyId !== companyOf(c)) return false;
  const headers = new Headers(c.req.raw.headers);
  headers.delete("Content-Length");
  headers.set("Content-Type", FORM_TYPE);
  c.req.raw = new Request(c.req.raw.url, { method: "POST", headers, body: kept.fields });
  c.req.bodyCache = {};
  return true;
}

/** The URL-encoded form of a request; null if it has none. */
async function formText(c: ConsoleContext): Promise<string | null> {
  const isForm = c.req.method === "POST" && c.req.header("Content-Type")?.startsWith(FORM_TYPE);
  return isForm === true ? c.req.text() : null;
}

function pathOf(c: ConsoleContext): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

function companyOf(c: ConsoleContext): number | null {
  const { person }: Partial<ConsoleEnv["Variables"]> = c.var;
  return person?.companyId ?? null;
}

const contextOf = (c: ConsoleContext) => `kept-form:${c.get("session").userId}`;
const ringOf = (c: ConsoleContext) => configOf(c.env.outer.env).secretsKeys;
const nowOf = (c: ConsoleContext) => c.env.outer.get("deps").platformClock.now();
