import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import type { EfiCobrancasSettings } from "../../../../src/domain/psp/efi-cobrancas-settings.ts";
import type { ProviderRefs } from "../../../../src/domain/psp/provider-refs.ts";
import { EfiCobrancasProvider } from "../../../../src/providers/efi-cobrancas/provider.ts";
import type { HouseCall } from "../../../../src/providers/calls/ended-call.ts";
import { TokenCache } from "../../../../src/providers/calls/token-cache.ts";
import { EFI_CLIENT } from "./efi.ts";

/** Longer than any response except a missing one. */
const LONG_TIMEOUT_MS = 10_000;
const NOTIFICATION_URL = "https://api.example.com/callbacks/efi/7/t0ken";

/** What an adapter remembers, in memory. */
export class MemoryRefs implements ProviderRefs {
  readonly refs = new Map<string, unknown>();
  /** Trips to read them. */
  reads = 0;
  read = async (id: string): Promise<unknown> => {
    this.reads += 1;
    return structuredClone(this.refs.get(id) ?? null);
  };
  readAll = async (ids: string[]): Promise<Map<string, unknown>> => {
    this.reads += 1;
    const there = ids.filter((id) => this.refs.has(id));
    return new Map(there.map((id) => [id, structuredClone(this.refs.get(id))]));
  };
  save = async (id: string, ref: object): Promise<void> => {
    this.refs.set(id, structuredClone(ref));
  };
  swap = async (id: string, before: object | null, ref: object): Promise<boolean> => {
    const isThere = JSON.stringify(this.refs.get(id) ?? null) === JSON.stringify(before);
    if (isThere) await this.save(id, ref);
    return isThere;
  };
  /** Whether the database was taken back in time. */
  isRestored = false;
  mayBeLost = async (): Promise<boolean> => this.isRestored;
}

/** The provider of a company whose account at Efí is `fetch` at `baseUrl`. */
export function efiProvider(
  baseUrl: string,
  fetcher: (request: Request) => Promise<Response>,
  options: {
    clock?: Clock;
    tokens?: TokenCache;
    refs?: ProviderRefs;
    timeoutMs?: number;
    config?: Partial<EfiCobrancasSettings>;
    ended?: (call: HouseCall) => void;
  } = {},
): EfiCobrancasProvider {
  return new EfiCobrancasProvider({
    account: "efi",
    config: {
      baseUrl,
      clientId: EFI_CLIENT.clientId,
      payeeCode: "0".repeat(32),
      termsProven: false,
      callbackOrigin: "https://api.example.com",
      ...options.config,
    },
    openSecret: async () => EFI_CLIENT.clientSecret,
    notificationUrl: async () => NOTIFICATION_URL,
    fetch: fetcher,
    clock: options.clock ?? systemClock,
    tokens: options.tokens ?? new TokenCache(),
    refs: options.refs ?? new MemoryRefs(),
    ended: options.ended,
    allowHttpLoopback: true,
    timeoutMs: options.timeoutMs ?? LONG_TIMEOUT_MS,
  });
}
