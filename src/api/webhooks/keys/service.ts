import { findKeyOwner } from "../../../db/companies/webhook-secrets.ts";
import { configOf, type Env } from "../../../config.ts";
import { notFound } from "../../../http/problems.ts";
import { publishedKey, webhookKeySeed } from "../../../webhooks/signing/asymmetric-key.ts";

/** A company's webhook key. Throws 404. */
export async function keyOfCompany(env: Env, companyId: number) {
  const owner = await findKeyOwner(env, companyId);
  if (owner === null) throw notFound("company");
  const seed = await webhookKeySeed(configOf(env).secretsKey, owner.providerCompanyId);
  return { company: owner.id, ...(await publishedKey(seed)) };
}
