import type { PspHeader, TokenClient } from "../psp-settings.ts";
import type { PspPoint } from "./psp-points.ts";

/** Where a fact was read. None of them is the bank's word to us. */
export interface ProfileSource {
  /** What a person would look for: a repository and file, or an address. */
  name: string;
  /** The day of the source, or else the day on which it was read (`YYYY-MM-DD`). */
  date: string;
}

/** Something that a public source says of a PSP. */
export interface Fact<Value> {
  value: Value;
  source: ProfileSource;
}

/** Where a PSP's Pix API is: as `baseUrl` and `tokenUrl` of a connection. */
interface PspAddresses {
  baseUrl: string;
  tokenUrl: string;
}

/** How a client certificate comes to be. */
export const CERTIFICATE_WAYS = {
  bank: "the bank makes key and certificate; download both",
  request: "send the bank the certificate request (CSR); it answers with the certificate",
  own: "buy an ICP-Brasil certificate (e-CNPJ A1) and register its public part at the bank",
} as const;
type CertificateWay = keyof typeof CERTIFICATE_WAYS;

/** What is known of a PSP's Pix API from public sources; null where none says it. */
export interface PspProfile {
  /** As people call it. */
  title: string;
  /** Whether this service has ever called it. */
  calledForReal: boolean;
  test: Fact<PspAddresses> | null;
  production: Fact<PspAddresses>;
  tokenBody: Fact<"form" | "json">;
  tokenClient: Fact<TokenClient>;
  /** The scopes to ask for; null for those that this service asks for by itself. */
  scope: Fact<string> | null;
  /** Headers beyond the standard's that every call needs. */
  headers: Fact<PspHeader[]> | null;
  /** Parameters of the query that every call needs; they belong into `baseUrl`. */
  query: Fact<string[]> | null;
  mtls: Fact<boolean>;
  certificate: Fact<CertificateWay> | null;
  webhook: Fact<string> | null;
  /** Whether it has Pix Automático with its two webhooks (`/webhookrec`, `/webhookcobr`). */
  automatic: Fact<boolean> | null;
  /** The origin of Efí's `/v3/gn/pix`; null for a PSP without it. */
  payouts: Fact<{ test: string; production: string }> | null;
  /** Where it is said to differ from the standard. */
  faults: Fact<{ point: PspPoint | null; what: string }>[];
}
