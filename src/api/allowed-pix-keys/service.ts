import type { z } from "@hono/zod-openapi";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { visiblePixKey } from "../../domain/access/payer-masks.ts";
import type { Company } from "../../domain/shared/company.ts";
import { parsePixKey, type PixKey } from "../../domain/shared/pix-key.ts";
import { allowedPixKeyView, type AllowedPixKey } from "../../domain/withdraws/allowed-pix-key.ts";
import type { Caller } from "../../http/context.ts";
import { StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { invalidState, notFound } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import type { AddPixKeyBody, PixKeysQuery } from "./schemas.ts";

const PIX_KEY_ID = /^[1-9]\d{0,14}$/;

/** The key of a validated request, in canonical form. */
export function pixKeyOfRequest({ pixKey, pixKeyType }: z.output<typeof AddPixKeyBody>): PixKey {
  const verdict = parsePixKey(pixKey, pixKeyType);
  assert(verdict.kind === "valid", "validation has checked the key");
  return verdict.key;
}

/** The number of a listed key. Throws 404 if it is malformed. */
export function requirePixKeyId(id: string): number {
  if (!PIX_KEY_ID.test(id)) throw notFound("PIX key");
  return Number(id);
}

/** Allows withdraws to a key after the cool-down. A listed key stays as it is. Throws 409 if the list is full. */
export async function addPixKey(
  env: Env,
  { id: companyId, credentialsVersion, withdrawPolicy }: Company,
  key: PixKey,
): Promise<{ key: AllowedPixKey; isNew: boolean }> {
  const { coolDownHours } = withdrawPolicy.allowedPixKeys;
  const command = { companyId, credentialsVersion, key, coolDownHours };
  const answer = await callCompany(env, companyId, (account) => account.addAllowedPixKey(command));
  switch (answer.kind) {
    case "version_conflict":
      throw new StaleVersionError(answer.newest);
    case "full":
      throw invalidState(`The list has ${answer.limit} keys, which is its most`, "too_many");
    case "added":
    case "known":
      return { key: answer.key, isNew: answer.kind === "added" };
  }
}

/** A listed key by its number; null if it is not on the list. */
export async function findPixKey(
  env: Env,
  companyId: number,
  id: number,
): Promise<AllowedPixKey | null> {
  const [next] = await callCompany(env, companyId, (account) =>
    account.listAllowedPixKeys({ after: id - 1, limit: 1 }),
  );
  return next?.id === id ? next : null;
}

/** Takes a key from the list at once. No error if it is not on it, so that a repeat is harmless. */
export async function removePixKey(env: Env, companyId: number, id: number): Promise<void> {
  await callCompany(env, companyId, (account) => account.removeAllowedPixKey({ companyId, id }));
}

/** A page of the listed keys, in the order of their addition. */
export async function pageOfPixKeys(
  env: Env,
  { company, scopes }: Pick<Caller, "company" | "scopes">,
  { after, limit }: z.output<typeof PixKeysQuery>,
) {
  const found = await callCompany(env, company.id, (account) =>
    account.listAllowedPixKeys({ after, limit: limit + 1 }),
  );
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map((key) => allowedPixKeyView(visiblePixKey(scopes, key))),
    after: last === undefined ? null : String(last.id),
    hasMore: found.length > limit,
  };
}
