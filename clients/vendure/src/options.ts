/** The injection token of the options. */
export const CENTAVO_OPTIONS = Symbol("CENTAVO_OPTIONS");
/** The injection token of the client. */
export const CENTAVO_CLIENT = Symbol("CENTAVO_CLIENT");

export const LOG = "Centavo";

export interface CentavoPluginOptions {
  /** The address of the gateway, such as `https://pay.example.com`. */
  baseUrl: string;
  clientId: string;
  /** A secret. */
  apiKey: string;
  /** The secret of the webhook endpoint, `whsec_...`. */
  webhookSecret: string;
  /** How long a Pix may be paid, and its stock is held. Seconds; 1,800 where left out. */
  pixExpiresInSeconds?: number;
  /** Days until a boleto is due, 3 where left out. Its stock is held until the bank says that it was not paid. */
  boletoExpiresInDays?: number;
  /** When the events are read, as cron; each minute where left out. */
  schedule?: string;
}
