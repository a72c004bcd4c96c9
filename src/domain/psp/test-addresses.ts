import { PSP_PROFILES } from "./profiles/psp-profiles.ts";

/** Efí's API Cobranças for tests, today's and the one that it closes (its SDK and manual). */
const EFI_COBRANCAS = new Set(["cobrancas-h.api.efipay.com.br", "sandbox.gerencianet.com.br"]);

/** Hosts and paths of the houses that this service knows, where no money moves. */
const TEST_BASES = Object.values(PSP_PROFILES).flatMap(({ test, production, payouts }) => {
  const live = new Set(Object.values(production.value).map(baseOf));
  const urls = [
    ...Object.values(test?.value ?? {}),
    ...(payouts === null ? [] : [payouts.value.test]),
  ];
  // Some houses give tokens of both at one address.
  return urls.map(baseOf).filter((base) => !live.has(base));
});

/** Whether a URL is a house's address for tests. Pagar.me has none: there the key says it. */
export function isTestAddress(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  const { hostname } = parsed;
  const base = baseOf(url);
  return EFI_COBRANCAS.has(hostname) || TEST_BASES.some((test) => base.startsWith(test));
}

/** Host and path, without the slash at its end. */
function baseOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/+$/, "")}`;
}
