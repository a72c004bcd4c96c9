/**
 * What an adapter must remember of a charge or a refund between two calls, by our id: the ids that the provider gave,
 * and what was sent. Stored before the next call (`providerRefsOf`).
 */
export interface ProviderRefs {
  read(id: string): Promise<unknown>;
  /** Replaces what was there. */
  save(id: string, ref: object): Promise<void>;
}
