/** How the gateway connects to a company's account at Efí for boletos and cards (API Cobranças), without its secret. */
export interface EfiCobrancasSettings {
  /** Base URL before `/v1` (`https://cobrancas.api.efipay.com.br`). */
  baseUrl: string;
  clientId: string;
  /** The account's public id (`payee_code`), which card tokens are made for; null where it takes no cards. */
  payeeCode: string | null;
  /**
   * Whether the owner has proved with Efí what its sources do not say: the unit of a monthly interest. Without it
   * such terms are refused.
   */
  termsProven: boolean;
  /** Origin of the address that Efí notifies (`https://api.example.com`). */
  callbackOrigin: string;
}
