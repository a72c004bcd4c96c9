/** How a company's payers see it on the checkout. */
export interface Brand {
  /** Shown instead of the company's registered name; null for that name. */
  name: string | null;
  /** `#rrggbb` in lower case; null for the gateway's own colour. */
  color: string | null;
  /** An https address of an image; null for none. */
  logoUrl: string | null;
}

/** The brand of a company that has set none. */
export const NO_BRAND: Brand = { name: null, color: null, logoUrl: null };
