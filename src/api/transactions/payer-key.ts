import { bytesToHex } from "@noble/hashes/utils.js";
import { configOf, type Env } from "../../config.ts";
import { savePayerKey } from "../../db/companies/payer-keys.ts";
import type { CardIdentity } from "../../domain/charges/payment-details.ts";
import { payerKeyContext, type Company } from "../../domain/shared/company.ts";
import { parseDocument } from "../../domain/shared/document.ts";
import type { Dependencies } from "../../http/context.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { seal, unseal } from "../../lib/secret-box.ts";
import { updateCredentials } from "../settings/update-credentials.ts";
import type { CreateTransactionRequest } from "./schemas.ts";

const KEY_BYTES = 32;
/** Opened keys per isolate, by their sealed text, which a new key changes. */
const OPENED_MAX = 1_000;
const opened = new Map<string, CryptoKey>();

type KeyOwner = Pick<Company, "id" | "providerCompanyId" | "leadKeySealed">;

/**
 * What identifies a request's payer within its company: HMAC-SHA256, in hex, of the document, else of
 * `customer.id`, under the company's random key. Null for a payer with neither.
 */
export async function payerKeyOfRequest(
  env: Env,
  company: KeyOwner,
  { customer }: Pick<CreateTransactionRequest, "customer">,
  random: Dependencies["random"],
): Promise<string | null> {
  const { number = "", type } = customer?.document ?? {};
  const document = number === "" ? null : parseDocument(number, type);
  const id = customer?.id ?? "";
  const identity =
    document === null ? (id === "" ? null : `id:${id}`) : documentIdentity(document.number);
  return identity === null ? null : keyedHash(await payerHashKey(env, company, random), identity);
}

/** The payer's key of a document in canonical form; null while the company has no key, and so no payer. */
export async function findPayerKeyOfDocument(
  env: Env,
  company: KeyOwner,
  documentNumber: string,
): Promise<string | null> {
  const { leadKeySealed } = company;
  if (leadKeySealed === null) return null;
  const key = await openKey(env, company.providerCompanyId, leadKeySealed);
  return keyedHash(key, documentIdentity(documentNumber));
}

/**
 * What a card is counted by, whatever token stands for it: HMAC-SHA256, in hex, of its first six and last four
 * digits and its expiry, under the company's key.
 */
export async function cardHash(
  env: Env,
  company: KeyOwner,
  card: CardIdentity,
  random: Dependencies["random"],
): Promise<string> {
  const { firstDigits, lastDigits, expirationMonth, expirationYear } = card;
  const identity = `card:${firstDigits}:${lastDigits}:${expirationMonth}:${expirationYear}`;
  return keyedHash(await payerHashKey(env, company, random), identity);
}

/** What a payer's network address is counted by, likewise: it is stored nowhere else. */
export async function addressHash(
  env: Env,
  company: KeyOwner,
  address: string,
  random: Dependencies["random"],
): Promise<string> {
  return keyedHash(await payerHashKey(env, company, random), `address:${address}`);
}

/** What stands for a payer's e-mail address in any case of letters, likewise. */
export async function emailHash(
  env: Env,
  company: KeyOwner,
  email: string,
  random: Dependencies["random"],
): Promise<string> {
  return keyedHash(await payerHashKey(env, company, random), `email:${email.trim().toLowerCase()}`);
}

/** What is hashed of a document. Charges from before the keyed hash have it as their payer's key in clear. */
export function documentIdentity(documentNumber: string): string {
  return `doc:${documentNumber}`;
}

/** The company's key. Made at first use where a company has none: the first call to store one wins. */
async function payerHashKey(env: Env, company: KeyOwner, random: Dependencies["random"]) {
  const { id, providerCompanyId, leadKeySealed } = company;
  if (leadKeySealed !== null) return openKey(env, providerCompanyId, leadKeySealed);
  const fresh = await sealPayerKey(env, providerCompanyId, random.bytes(KEY_BYTES));
  const stored = await updateCredentials(env, id, () => savePayerKey(env, id, fresh));
  return openKey(env, providerCompanyId, stored);
}

/** A company's key as its row has it. */
export function sealPayerKey(
  env: Env,
  providerCompanyId: string,
  key: Uint8Array,
): Promise<string> {
  return seal(configOf(env).secretsKeys, toBase64(key), payerKeyContext(providerCompanyId));
}

/** A company's key as `keyedHash` takes it. */
export function importPayerKey(key: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

async function openKey(env: Env, providerCompanyId: string, sealed: string): Promise<CryptoKey> {
  const known = opened.get(sealed);
  if (known !== undefined) return known;
  const base64 = await unseal(
    configOf(env).secretsKeys,
    sealed,
    payerKeyContext(providerCompanyId),
  );
  const key = await importPayerKey(fromBase64(base64));
  opened.set(sealed, key);
  const [oldest] = opened.keys();
  if (opened.size > OPENED_MAX && oldest !== undefined) opened.delete(oldest);
  return key;
}

/** HMAC-SHA256 of a text, in hex. */
export async function keyedHash(key: CryptoKey, text: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return bytesToHex(new Uint8Array(signature));
}
