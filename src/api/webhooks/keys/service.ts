import { findKeyOwner } from "../../../db/companies/webhook-secrets.ts";
import { configOf, type Env } from "../../../config.ts";
import { notFound } from "../../../http/problems.ts";
import { publishedKey, webhookKeySeeds } from "../../../webhooks/signing/asymmetric-key.ts";

/**
 * A company's webhook keys, the one that signs first: one for each key of `SECRETS_KEY`, so that webhooks of before
 * a rotation verify too. Throws 404.
 */
export async function keysOfCompany(env: Env, companyId: number) {
  const owner = await findKeyOwner(env, companyId);
  if (owner === null) throw notFound("company");
  const seeds = await webhookKeySeeds(configOf(env).secretsKeys, owner.providerCompanyId);
  const keys = await Promise.all(seeds.map(publishedKey));
  return keys.map((key) => Object.assign(key, { company: owner.id }));
}
