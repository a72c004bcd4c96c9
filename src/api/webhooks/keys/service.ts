import { findKeyOwner, keyOwnersAfter, type KeyOwner } from "../../../db/webhook-secrets.ts";
import { configOf, type Env } from "../../../config.ts";
import { notFound } from "../../../http/problems.ts";
import { publishedKey, webhookKeySeed } from "../../../webhooks/signing/asymmetric-key.ts";

/** Each key is derived anew, about half a millisecond of the Worker's time, for whoever asks. */
const KEYS_PAGE_MAX = 20;
export async function pageOfKeys(env: Env, after: number) {
  const owners = await keyOwnersAfter(env, after, KEYS_PAGE_MAX + 1);
  const page = owners.slice(0, KEYS_PAGE_MAX);
  const last = page.at(-1);
  return {
    keys: await Promise.all(page.map((owner) => keyView(env, owner))),
    after: last === undefined || owners.length === page.length ? null : String(last.id),
  };
}

export async function keyOfCompany(env: Env, companyId: number) {
  const owner = await findKeyOwner(env, companyId);
  if (owner === null) throw notFound("company");
  return keyView(env, owner);
}

async function keyView(env: Env, { id, providerCompanyId }: KeyOwner) {
  const seed = await webhookKeySeed(configOf(env).secretsKey, providerCompanyId);
  return { company: id, ...(await publishedKey(seed)) };
}
