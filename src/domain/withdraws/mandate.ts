/** What an application may withdraw: so much a day, to these keys, until then. */
export interface Mandate {
  /** Centavos a day (America/Sao_Paulo); null for no limit of its own. */
  dailyLimit: number | null;
  /** Canonical PIX keys; null for every key that the company allows. */
  pixKeys: string[] | null;
  /** Unix milliseconds; null for no end. */
  until: number | null;
}
