import type { ProviderRefs } from "../../../../src/domain/psp/provider-refs.ts";
import { MemoryRefs } from "../efi-cobrancas/provider.ts";
import type { PagarMeSettings } from "../../../../src/domain/psp/pagarme-settings.ts";
import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import { PagarMeProvider } from "../../../../src/providers/pagarme/provider.ts";
import { boletoOrder, cardOrder, MARIA } from "../../builders/providers/provider-orders.ts";
import { SECRET_KEY, type FakePagarMe } from "./house.ts";

/** Longer than any response except a missing one. */
const LONG_TIMEOUT_MS = 10_000;

/** A payer with all that Pagar.me asks for. */
export const PAGARME_PAYER = {
  ...MARIA,
  email: "maria@example.com",
  phone: "+55 11 98765-4321",
};

/** The provider of a company whose house answers at `url`, or as a `fetch`. */
export function pagarMeProvider(
  fetcher: (request: Request) => Promise<Response>,
  options: {
    url?: string;
    clock?: Clock;
    createdAt?: number;
    refs?: ProviderRefs;
    timeoutMs?: number;
    config?: Partial<PagarMeSettings>;
  } = {},
): PagarMeProvider {
  return new PagarMeProvider({
    account: "first",
    createdAt: options.createdAt ?? 0,
    config: {
      baseUrl: options.url ?? "http://127.0.0.1",
      publicKey: "pk_test_0123456789abcdef",
      kind: "psp",
      termsProven: false,
      callbackOrigin: "https://api.example.com",
      ...options.config,
    },
    openSecret: async () => SECRET_KEY,
    fetch: fetcher,
    clock: options.clock ?? systemClock,
    refs: options.refs ?? new MemoryRefs(),
    allowHttpLoopback: true,
    timeoutMs: options.timeoutMs ?? LONG_TIMEOUT_MS,
  });
}

/** A boleto of a payer with an address. */
export function pagarMeBoleto() {
  return { ...boletoOrder(), payer: PAGARME_PAYER };
}

/** A card by a token of the house, as a live company sends it. */
export function pagarMeCard(house: FakePagarMe, sent: { cvv?: string; capture?: boolean } = {}) {
  const { card, ...order } = cardOrder();
  const { cvv = card.source.cvv, capture = true } = sent;
  const token = house.book.tokenize({ ...card.source, cvv });
  return { ...order, payer: PAGARME_PAYER, card: { ...card, capture, source: { token } } };
}
