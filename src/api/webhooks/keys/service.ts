import {
  findKeyOwner,
  keyOwnersAfter,
  type KeyOwner,
} from "../../../db/companies/webhook-secrets.ts";
import { configOf, type Env } from "../../../config.ts";
import { notFound } from "../../../http/problems.ts";
import { publishedKey, webhookKeySeeds } from "../../../webhooks/signing/asymmetric-key.ts";

/** Deriving a key takes about half a millisecond of CPU, and the route needs no credentials. */
const KEYS_PAGE_MAX = 20;

/** A page of all companies' webhook keys, by company number. */
export async function pageOfKeys(env: Env, after: number) {
  const owners = await keyOwnersAfter(env, after, KEYS_PAGE_MAX + 1);
  const page = owners.slice(0, KEYS_PAGE_MAX);
  const last = page.at(-1);
  return {
    keys: (await Promise.all(page.map((owner) => keyViews(env, owner)))).flat(),
    after: last === undefined || owners.length === page.length ? null : String(last.id),
  };
}

/** A company's webhook keys, the one that signs first. Throws 404. */
export async function keysOfCompany(env: Env, companyId: number) {
  const owner = await findKeyOwner(env, companyId);
  if (owner === null) throw notFound("company");
  return keyViews(env, owner);
}

/** One for each key of `SECRETS_KEY`, so that webhooks of before a rotation verify too. */
async function keyViews(env: Env, { id, providerCompanyId }: KeyOwner) {
  const seeds = await webhookKeySeeds(configOf(env).secretsKeys, providerCompanyId);
  return Promise.all(seeds.map((seed) => keyView(id, seed)));
}

async function keyView(company: number, seed: Uint8Array) {
  return { company, ...(await publishedKey(seed)) };
}
