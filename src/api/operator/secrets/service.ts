import { configOf, type Env } from "../../../config.ts";
import {
  findSealedValues,
  replaceSealedValues,
  type SealedChange,
  type SealedPlace,
} from "../../../db/companies/sealed-values.ts";
import { keyOwnersAfter } from "../../../db/companies/webhook-secrets.ts";
import type { RetiredSecret } from "../../../db/schema/companies.ts";
import { savedCardContext } from "../../../domain/cards/saved-card.ts";
import { payerKeyContext, webhookSecretContext } from "../../../domain/shared/company.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { keyIdOf, seal, sealedPrefix, unseal } from "../../../lib/secret-box.ts";
import { secretContextOf } from "../../../providers/registry.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";

/** Companies per call: each takes up to three calls to D1 and one to its object. */
const COMPANIES_MAX = 20;

/** A stored text under another key, and how to seal it anew. */
interface StaleText {
  place: SealedPlace;
  before: string;
  reseal: () => Promise<string>;
}

/**
 * Seals the stored secrets of the next companies, and of people's authenticator apps, under the current key of
 * `SECRETS_KEY`. Idempotent.
 */
export async function resealSecrets(env: Env, after: number) {
  const { secretsKeys } = configOf(env);
  const [currentKey = "", ...otherKeys] = await Promise.all(secretsKeys.map(keyIdOf));
  const owners = await keyOwnersAfter(env, after, COMPANIES_MAX + 1);
  const page = owners.slice(0, COMPANIES_MAX);
  // Its encryption is better-auth's, which only the console loads.
  const { resealAuthenticators } = await import("./authenticators.ts");
  const counts = [
    ...(await Promise.all(page.map(({ id }) => resealCompany(env, id)))),
    await resealAuthenticators(env),
  ];
  const hasMore = owners.length > page.length;
  return {
    resealed: counts.reduce((sum, { resealed }) => sum + resealed, 0),
    remaining: counts.reduce((sum, { remaining }) => sum + remaining, 0),
    currentKey,
    otherKeys,
    after: hasMore ? String(page.at(-1)?.id) : null,
    hasMore,
  };
}

/** A text that changes between reading and writing stays as it is, and counts as remaining. */
async function resealCompany(env: Env, companyId: number) {
  const stale = await staleTexts(env, companyId);
  const changes: SealedChange[] = [];
  for (const { place, before, reseal } of stale) {
    try {
      changes.push({ place, before, after: await reseal() });
    } catch (error) {
      // One value that no key opens stops no other.
      log("error", "reseal_failed", { ...errorFields(error), companyId, place: place.kind });
    }
  }
  if (changes.length === 0) return { resealed: 0, remaining: stale.length };
  const resealed = await updateCredentials(env, companyId, () =>
    replaceSealedValues(env, companyId, changes),
  );
  return { resealed, remaining: stale.length - resealed };
}

/** A company's stored texts that are not under the current key. */
async function staleTexts(env: Env, companyId: number): Promise<StaleText[]> {
  const { secretsKeys } = configOf(env);
  const prefix = await sealedPrefix(secretsKeys);
  const { company, endpoints, accounts, savedCards, deletedCards } = await findSealedValues(
    env,
    companyId,
    prefix,
  );
  if (company === null) return [];
  const resealed = async (sealed: string, context: string) =>
    sealed.startsWith(prefix)
      ? sealed
      : seal(secretsKeys, await unseal(secretsKeys, sealed, context), context);
  const { providerCompanyId, webhookSecret, previousSecrets, leadKey } = company;
  const secretContext = webhookSecretContext(providerCompanyId);
  const one = (place: SealedPlace, sealed: string | null, context: string): StaleText[] =>
    sealed === null || sealed.startsWith(prefix)
      ? []
      : [{ place, before: sealed, reseal: () => resealed(sealed, context) }];
  const list = (place: SealedPlace, json: string | null): StaleText[] => {
    const previous = JSON.parse(json ?? "[]") as RetiredSecret[];
    if (json === null || previous.every(({ sealed }) => sealed.startsWith(prefix))) return [];
    const reseal = async () =>
      JSON.stringify(
        await Promise.all(
          previous.map(async ({ sealed, until }) => ({
            sealed: await resealed(sealed, secretContext),
            until,
          })),
        ),
      );
    return [{ place, before: json, reseal }];
  };
  return [
    ...one({ kind: "webhookSecret" }, webhookSecret, secretContext),
    ...list({ kind: "previousSecrets" }, previousSecrets),
    ...endpoints.flatMap(({ number, secret }) =>
      one({ kind: "endpointSecret", number }, secret, secretContext),
    ),
    ...endpoints.flatMap((endpoint) =>
      list({ kind: "endpointPreviousSecrets", number: endpoint.number }, endpoint.previousSecrets),
    ),
    ...one({ kind: "leadKey" }, leadKey, payerKeyContext(providerCompanyId)),
    ...accounts.flatMap((stored) =>
      one(
        { kind: "account", account: stored.account },
        stored.sealed,
        secretContextOf(company, stored),
      ),
    ),
    ...savedCards.flatMap(({ id, sealed }) =>
      one({ kind: "savedCard", id }, sealed, savedCardContext(providerCompanyId, id)),
    ),
    ...deletedCards.flatMap(({ id, sealed }) =>
      one({ kind: "deletedCard", id }, sealed, savedCardContext(providerCompanyId, id)),
    ),
  ];
}
