import {
  efiAccount,
  pagarmeAccount,
  pixAccount,
} from "../../support/builders/providers/accounts.ts";
import type { Asked } from "./life.ts";

/** Charges up to this amount are at Efí, beyond it at Pagar.me, where the amount decides. */
export const EFI_AMOUNT_TO = 30_000;
export const EFI_SECRET = "efi-s3cret";
export const PAGARME_SECRET = "sk_0123456789abcdef";

/** The company's accounts: two houses, and two PSPs for PIX. */
export const ACCOUNTS = ["efi", "pagarme", "psp-one", "psp-two"] as const;
export type AccountName = (typeof ACCOUNTS)[number];

type Ordered = Pick<Asked, "method" | "amount">;

/** Where new charges go: the terms of accounts, each active where it does not drain, and who takes a charge then. */
interface Route {
  terms: Partial<Record<AccountName, Record<string, unknown>>>;
  takers: (ordered: Ordered) => AccountName[];
}

const BOTH = ["BOLETO", "CREDIT_CARD"];
const DRAINS = { state: "draining" };
const takes = (methods: string[], conditions: object = {}) => {
  return { methods, conditions };
};

/** Where an operator may have new charges go. Those that were sold before stay at their accounts. */
export const ROUTES = {
  byAmount: {
    terms: {
      efi: takes(BOTH, { amountTo: EFI_AMOUNT_TO }),
      pagarme: takes(BOTH, { amountFrom: EFI_AMOUNT_TO + 1 }),
    },
    takers: ({ amount }) => [amount <= EFI_AMOUNT_TO ? "efi" : "pagarme"],
  },
  allAtEfi: { terms: { efi: takes(BOTH), pagarme: DRAINS }, takers: () => ["efi"] },
  allAtPagarMe: { terms: { efi: DRAINS, pagarme: takes(BOTH) }, takers: () => ["pagarme"] },
  cardsAtPagarMe: {
    terms: { efi: takes(["BOLETO"]), pagarme: takes(["CREDIT_CARD"]) },
    takers: ({ method }) => [method === "BOLETO" ? "efi" : "pagarme"],
  },
  cardsAtEfi: {
    terms: { efi: takes(["CREDIT_CARD"]), pagarme: takes(["BOLETO"]) },
    takers: ({ method }) => [method === "BOLETO" ? "pagarme" : "efi"],
  },
  boletosAtEfiFirst: {
    terms: { efi: { ...takes(BOTH), priority: 1 }, pagarme: takes(["BOLETO"]) },
    takers: ({ method }) => (method === "BOLETO" ? ["efi", "pagarme"] : ["efi"]),
  },
  boletosAtPagarMeFirst: {
    terms: { efi: { ...takes(["BOLETO"]), priority: 3 }, pagarme: takes(BOTH) },
    takers: ({ method }) => (method === "BOLETO" ? ["pagarme", "efi"] : ["pagarme"]),
  },
  pixAtOne: {
    terms: { "psp-one": {}, "psp-two": DRAINS },
    takers: () => ["psp-one"],
  },
  pixAtTwo: {
    terms: { "psp-one": DRAINS, "psp-two": {} },
    takers: () => ["psp-two"],
  },
  pixAtOneFirst: {
    terms: { "psp-one": {}, "psp-two": { priority: 5 } },
    takers: () => ["psp-one", "psp-two"],
  },
  pixAtTwoFirst: {
    terms: { "psp-one": {}, "psp-two": { priority: 3 } },
    takers: () => ["psp-one", "psp-two"],
  },
} satisfies Record<string, Route>;
export type RouteName = keyof typeof ROUTES;

/** Routes by their names. */
export function routeOf(name: RouteName): Route {
  return ROUTES[name];
}

/** Whether a route is of PIX, and not of boletos and cards. */
export function isOfPix({ terms }: Route): boolean {
  return "psp-one" in terms;
}

/** The accounts as an operator connects them, by their names. */
export function accountsAt(
  hosts: Record<AccountName, string>,
  { name, pixKeys: [one, two] }: { name: string; pixKeys: readonly [string, string] },
): [AccountName, Record<string, unknown>][] {
  const { efi, pagarme } = routeOf("byAmount").terms;
  const psp = (account: AccountName, pixKey: string, priority: number) => {
    const baseUrl = `https://${hosts[account]}`;
    const settings = { baseUrl, tokenUrl: `${baseUrl}/oauth/token`, pixKey };
    const without = { certificate: null, payouts: null };
    return pixAccount({ ...settings, ...without }, { methods: ["PIX"], priority });
  };
  const atPagarMe = { baseUrl: `https://${hosts.pagarme}/core/v5`, publicKey: `pk_${name}` };
  return [
    ["efi", efiAccount({ baseUrl: `https://${hosts.efi}`, clientId: name, payeeCode: name }, efi)],
    [
      "pagarme",
      {
        ...pagarmeAccount(atPagarMe, { priority: 2, ...pagarme }),
        secrets: { secretKey: PAGARME_SECRET },
      },
    ],
    ["psp-one", psp("psp-one", one, 4)],
    ["psp-two", psp("psp-two", two, 5)],
  ];
}
