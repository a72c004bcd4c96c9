import type { Env } from "../../../config.ts";
import { TRANSACTION_COPIES } from "../../../db/fork/database-tables.ts";
import { addForkedCharges, chargesAfter } from "../../../db/fork/fork-rows.ts";
import type { StoredTransaction } from "../../../db/projection/transaction-mapper.ts";
import { providerChargeId, type Payer } from "../../../domain/charges/transaction.ts";
import { copyRow } from "../../../domain/fork/columns.ts";
import type { Disguise } from "../../../domain/fork/disguise.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { parseDocument } from "../../../domain/shared/document.ts";
import { methodOf } from "../../../methods/registry.ts";
import type { ProviderRegistry } from "../../../providers/registry.ts";
import { documentIdentity, keyedHash } from "../../transactions/payer-key.ts";

/** Charges of one page: two queries of D1. */
const PAGE_ROWS = 250;

/** What the copies of charges are made with. */
export interface ChargeCopying {
  env: Env;
  disguise: Disguise;
  /** The copy, as a company of the sandbox. */
  company: Company;
  providers: ProviderRegistry;
  /** The key of the copy's hashes of payers. */
  payerKey: CryptoKey;
}

/** Copies a company's charges of before the object is read. Returns the last one's `seq`. */
export async function copyCharges(copying: ChargeCopying, after = 0): Promise<number> {
  const { env, disguise } = copying;
  const page = await chargesAfter(env, disguise.companies.from, after, PAGE_ROWS);
  await addCopies(copying, page);
  const last = page.at(-1)?.seq ?? after;
  return page.length < PAGE_ROWS ? last : copyCharges(copying, last);
}

/**
 * Copies the charges since that the object knew when it was read, and those before them. False if one of them has
 * changed since, of which the copy would know more than its object.
 */
export async function copyNewCharges(
  copying: ChargeCopying,
  after: number,
  known: ReadonlySet<string>,
): Promise<boolean> {
  const { env, disguise } = copying;
  const page = await chargesAfter(env, disguise.companies.from, after, PAGE_ROWS);
  const count = page.findLastIndex(({ id }) => known.has(id)) + 1;
  const rows = page.slice(0, count);
  if (rows.some(({ id, version }) => version > 0 && !known.has(id))) return false;
  await addCopies(copying, rows);
  if (count < PAGE_ROWS) return true;
  return copyNewCharges(copying, rows.at(-1)?.seq ?? after, known);
}

async function addCopies(copying: ChargeCopying, rows: StoredTransaction[]): Promise<void> {
  const { env, disguise } = copying;
  const copies = await Promise.all(rows.map((row) => copyOf(copying, row)));
  await addForkedCharges(env, disguise.companies.to, copies);
}

async function copyOf(copying: ChargeCopying, row: StoredTransaction): Promise<StoredTransaction> {
  const { disguise, payerKey } = copying;
  const copied = copyRow(TRANSACTION_COPIES, row, disguise) as StoredTransaction;
  const copy = {
    ...copied,
    companyId: disguise.companies.to,
    provider: "Sandbox" as const,
    attempt: 1,
    leadKey:
      row.leadKey === null
        ? null
        : await keyedHash(payerKey, identityOf(copied.payer, row.leadKey)),
  };
  const isRegistered = row.pix?.qrcode !== undefined || (row.boleto?.registered ?? null) !== null;
  // Of one whose texts have left D1 the bank names the codes again.
  const isArchived = row.archiveFile !== null && row.answeredStatus === "waiting_payment";
  return isRegistered || isArchived ? { ...copy, ...(await registeredAgain(copying, copy)) } : copy;
}

/** What the payer pays by, as the sandbox's bank names it of the copied charge. */
async function registeredAgain(
  { company, providers }: ChargeCopying,
  charge: StoredTransaction,
): Promise<Partial<Pick<StoredTransaction, "pix" | "boleto">>> {
  const method = methodOf(charge.paymentMethod);
  const provider = providers.forCharge(company, charge.paymentMethod);
  if (method.initiation !== "push" || provider === null || charge.expiresAt === null) return {};
  const outcome = await provider.createCharge({
    chargeId: providerChargeId(charge.id),
    amount: charge.amount,
    merchantName: company.name,
    payer: charge.payer,
    ...method.order(charge),
  });
  const registered = outcome.kind === "registered" ? method.register(charge, outcome) : null;
  if (registered === null) return {};
  const { expiresAt: _expiresAt, ...columns } = registered;
  return columns;
}

/** What identifies a made-up payer; one with neither document nor id by the original's key. */
function identityOf(payer: Payer, original: string): string {
  const document = parseDocument(payer.documentNumber);
  if (document !== null) return documentIdentity(document.number);
  return payer.externalId === null ? original : `id:${payer.externalId}`;
}
