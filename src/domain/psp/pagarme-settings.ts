/** How the gateway connects to a company's account at Pagar.me (API v5), without its secret. */
export interface PagarMeSettings {
  /** Base URL before `/orders` (`https://api.pagar.me/core/v5`). */
  baseUrl: string;
  /** The account's public key (`pk_`), which card tokens are made with. */
  publicKey: string;
  /** The account's id (`acc_`), which a new pair of keys leaves as it is. Left out where nobody has named it. */
  accountId?: string | undefined;
  /** `psp`: Pagar.me acquires, settles and pays out. `gateway`: the merchant's own acquirer does. */
  kind: "psp" | "gateway";
  /**
   * Whether the owner has proved with Pagar.me what its sources do not say: words and units of a boleto's fine and
   * interest. Without it such terms are refused.
   */
  termsProven: boolean;
  /** Origin of the address that Pagar.me notifies (`https://api.example.com`). */
  callbackOrigin: string;
}
