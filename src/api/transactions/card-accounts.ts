import type { Env } from "../../config.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { SavedCard } from "../../domain/cards/saved-card.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import { methodOf } from "../../methods/registry.ts";
import type { Provider } from "../../providers/provider.ts";
import { noteConsent } from "../cards/saved.ts";
import type { LinkReservation } from "./claim/draft.ts";
import { addressHash } from "./payer-key.ts";
import type { CreateTransactionRequest } from "./schemas.ts";

/** A create, as far as its account and its payer's consent are about it. */
interface AskedCreate {
  env: Env;
  deps: CompanyDependencies;
  company: Company;
  request: CreateTransactionRequest;
  requester?: Requester;
  link?: LinkReservation;
}

/**
 * Who takes a new charge; undefined where nobody does. A saved card and a token can be charged at the account that made
 * them only: where that one may not take the charge, it is refused at the first of the others (`accountFaults`).
 */
export function providerFor(
  { env, deps, company, request }: AskedCreate,
  savedCard: SavedCard | null,
): Provider | undefined {
  const { paymentMethod, amount } = request;
  const providers = deps.providers(env);
  const saved =
    savedCard === null ? null : providers.accountFor(company, paymentMethod, savedCard.account);
  if (saved !== null) return saved;
  const routes = providers.routesFor(company, paymentMethod, amount);
  const method = methodOf(paymentMethod);
  const made = method.initiation === "pull" ? method.accountOf(request) : null;
  return routes.find(({ account }) => account === made) ?? routes[0];
}

/** Stores the consent that a request tells of, before its card is sent. */
export async function noteConsentOf(
  { env, deps, company, request, requester, link }: AskedCreate,
  row: TransactionRow,
): Promise<void> {
  const { ip } = request;
  const sent = ip === undefined ? null : await addressHash(env, company, ip, deps.random);
  const consent = { by: requester ?? null, address: link?.address ?? sent };
  await noteConsent(env, row, consent, deps.platformClock.now());
}
