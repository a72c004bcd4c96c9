import { configOf, type Env } from "../../config.ts";
import {
  beginSavedCard,
  completeSavedCard,
  findSavedCard,
  type KeptCardRow,
} from "../../db/saved-cards.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import {
  CONSENT_TEXT_VERSION,
  savedCardContext,
  savedCardIdOf,
  type CardConsent,
  type SavedCard,
} from "../../domain/cards/saved-card.ts";
import type { Card } from "../../domain/charges/payment-details.ts";
import type { Company } from "../../domain/shared/company.ts";
import { providerOfAccount } from "../../domain/psp/account-provider.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { payerUuidOf } from "../../domain/shared/ids.ts";
import { seal, unseal } from "../../lib/secret-box.ts";

/** More than a payer has: a list needs no pages. */
export const SAVED_CARDS_MAX = 100;

/** A payer's saved card with what its house charges it by; null where the payer (keyed hash) has none of this id. */
export async function openSavedCard(
  env: Env,
  { id: companyId, providerCompanyId }: Pick<Company, "id" | "providerCompanyId">,
  id: string,
  leadKey: string | null,
): Promise<SavedCard | null> {
  const row = await findSavedCard(env, companyId, id);
  if (row === null || row.leadKey !== leadKey) return null;
  const ref = await openRef(env, { providerCompanyId }, row);
  return { id, account: row.account, ref, card: row.card };
}

/** What the house gave for a card. Throws where it cannot be opened. */
export function openRef(
  env: Env,
  { providerCompanyId }: Pick<Company, "providerCompanyId">,
  { id, sealed }: Pick<KeptCardRow, "id" | "sealed">,
): Promise<string> {
  return unseal(configOf(env).secretsKeys, sealed, savedCardContext(providerCompanyId, id));
}

/** Stores that the payer of a charge lets its card be kept, before the card is sent; `address`: a keyed hash. */
export async function noteConsent(
  env: Env,
  row: TransactionRow,
  { by, address }: Pick<CardConsent, "by" | "address">,
  nowMs: number,
): Promise<void> {
  const { companyId, account, createdAt, leadKey, seq } = row;
  // Of an erased payer nothing is kept.
  if (leadKey === null) return;
  const saved = {
    companyId,
    id: savedCardIdOf(row.id),
    account,
    customer: payerUuidOf(companyId, row.leadNumber),
    leadKey,
    consent: { at: createdAt, textVersion: CONSENT_TEXT_VERSION, by, address },
    createdAt,
  };
  await beginSavedCard(env, saved, { seq, nowMs });
}

/** Keeps what a house gave for a charge's card, sealed. The saved card's id; null where its payer agreed to nothing. */
export async function keepCard(
  env: Env,
  { id: companyId, providerCompanyId }: Pick<Company, "id" | "providerCompanyId">,
  transactionId: string,
  { ref, card }: { ref: string; card: Card },
): Promise<string | null> {
  const id = savedCardIdOf(transactionId);
  const context = savedCardContext(providerCompanyId, id);
  const sealed = await seal(configOf(env).secretsKeys, ref, context);
  return (await completeSavedCard(env, { companyId, id, card, sealed })) ? id : null;
}

/** A saved card for its company: without the holder's name, and never with what the house gave. */
export function savedCardView(
  company: Pick<Company, "mode" | "accounts">,
  { id, customer, account, card, consent, createdAt }: KeptCardRow,
) {
  const { holderName: _name, ...shown } = card;
  const { at, textVersion, by } = consent;
  return {
    id,
    customer,
    account,
    provider: providerOfAccount(company, account),
    card: shown,
    consent: { at: isoTime(at), textVersion, by },
    createdAt: isoTime(createdAt),
  };
}
