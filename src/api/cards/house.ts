import type { Env } from "../../config.ts";
import { findOpenCompany } from "../../db/companies/companies.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { HouseTokenisation } from "../../domain/psp/card-tokenisation.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { Dependencies } from "../../http/context.ts";

/** The account that takes a company's cards, and how its house makes tokens of them. */
export interface CardHouse {
  account: string;
  tokenisation: HouseTokenisation;
  /** Whether it keeps a card that its payer lets it keep. */
  savesCards: boolean;
}

/** Where payers of a company make tokens of cards for a charge of so many centavos; null where no house of it takes it. */
export async function findCardHouse(
  { env, deps }: { env: Env; deps: Pick<Dependencies, "providers"> },
  companyId: number,
  { method, amount }: { method: PaymentMethod; amount: Cents },
): Promise<CardHouse | null> {
  const company = await findOpenCompany(env, companyId);
  const [provider = null] =
    company === null ? [] : deps.providers(env).routesFor(company, method, amount);
  const tokenisation = provider?.cardTokenisation ?? null;
  if (provider === null || tokenisation === null || tokenisation.kind === "sandbox") return null;
  const { account, savesCards } = provider;
  return { account, tokenisation, savesCards };
}
