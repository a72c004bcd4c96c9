import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import type { PixApiConfig } from "../../../../src/providers/pix-api/config.ts";
import { PixApiProvider } from "../../../../src/providers/pix-api/provider.ts";
import { TokenCache } from "../../../../src/providers/calls/token-cache.ts";
import { PSP_KEY } from "./book.ts";
import { PSP_CLIENT } from "./psp.ts";

/** Longer than any response except a missing one. */
const LONG_TIMEOUT_MS = 10_000;

/** A company's configuration for a fake PSP at `url`. */
export function pspConfig(url: string, overrides: Partial<PixApiConfig> = {}): PixApiConfig {
  return {
    baseUrl: url,
    tokenUrl: `${url}/oauth/token`,
    tokenBody: "form",
    ...PSP_CLIENT,
    scope: null,
    pixKey: PSP_KEY,
    certificate: null,
    charge: "cob",
    payouts: { url },
    ...overrides,
  };
}

/** The provider of a company whose PSP is `fetch`. */
export function pspProvider(
  config: PixApiConfig,
  fetcher: (request: Request) => Promise<Response>,
  options: { clock?: Clock; createdAt?: number; tokens?: TokenCache; timeoutMs?: number } = {},
): PixApiProvider {
  return new PixApiProvider({
    account: "first",
    createdAt: options.createdAt ?? 0,
    config,
    fetch: fetcher,
    clock: options.clock ?? systemClock,
    tokens: options.tokens ?? new TokenCache(),
    allowHttpLoopback: true,
    timeoutMs: options.timeoutMs ?? LONG_TIMEOUT_MS,
  });
}
