import type { PixKeyType } from "../../../../../domain/shared/pix-key.ts";

export const COMPANIES_PATH = "/console/operator/companies";
export const COMPANIES_API = "/api/v1/operator/companies";

/** A company in the operators' list. */
export interface CompanyItem {
  id: number;
  name: string;
  mode: "sandbox" | "live";
  closedAt: string | null;
  checkedAt: string | null;
  violations: string[];
}

/** A company as operators see it. */
export interface OneCompany {
  id: number;
  name: string;
  mode: "sandbox" | "live";
  document: string;
  pixKey: string | null;
  pixKeyType: PixKeyType | null;
  database: string;
  createdAt: string;
  closedAt: string | null;
}

/** What the API shows once of a company that was made. */
export interface MadeCompany extends OneCompany {
  application: { clientId: string };
  key: string | null;
  webhookSecret: string | null;
}
