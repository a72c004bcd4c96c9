/** Who tries a card: the merchant's API, or a payer on the page of a link. */
export interface CardPayer {
  source: "api" | "link";
  /** A keyed hash of a link's payer's network address; null for the API, and where it is not known. */
  address: string | null;
}
