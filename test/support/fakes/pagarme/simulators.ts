import verify from "card-validator";
import type { RawCard } from "../../../../src/methods/card/card.ts";

/** What a card of the house's test world does (its simulators' pages). */
interface CardDecision {
  /** `approved`, or the transaction's status. */
  status: "approved" | "not_authorized" | "processing";
  /** The brand's own code. */
  code: string;
  message: string;
  antifraud: string;
  brand: string;
}

const GATEWAY_REFUSED = "4000000000000028";
const GATEWAY_IN_REVIEW = "4000000000000036";
/** Refused by the antifraud of a PSP's account. */
const REPROVED_DOCUMENT = "11111111111";
const REFUSED_CVV = "6";
/** Amounts of a PSP's account that end so are analysed, where a chargeback guarantee is bought. */
const [ANALYSED_FROM, ANALYSED_TO] = [30, 60];

/** What the house's simulator decides: of a gateway by the card, of a PSP by CVV, document and amount. */
export function cardDecision(
  card: RawCard,
  customer: { document?: string },
  amount: number,
  kind: "psp" | "gateway",
): CardDecision {
  const approved = { status: "approved", code: "00", message: "Aprovada", antifraud: "approved" };
  const refused = { status: "not_authorized", code: "51", message: "Saldo insuficiente" };
  const brand = brandOf(card.number);
  const decide = (decided: object) => Object.assign({ brand }, approved, decided) as CardDecision;
  if (kind === "gateway") {
    if (card.number === GATEWAY_REFUSED) return decide(refused);
    return decide(card.number === GATEWAY_IN_REVIEW ? { status: "processing" } : {});
  }
  if (customer.document === REPROVED_DOCUMENT) {
    return decide({ status: "not_authorized", code: null, antifraud: "reproved" });
  }
  if (card.cvv.startsWith(REFUSED_CVV)) return decide(refused);
  const cents = amount % 100;
  const isAnalysed = cents >= ANALYSED_FROM && cents <= ANALYSED_TO;
  return decide(isAnalysed ? { status: "processing", antifraud: "pending" } : {});
}

/** What the payer of a boleto does, by the postal code of a gateway's simulator; null for nothing. */
export function boletoPayment(amount: number, zipCode: string): number | null {
  switch (zipCode) {
    case "01046010":
      return amount - 1;
    case "57400000":
      return amount + 1;
    case "70070300":
      return null;
    default:
      return amount;
  }
}

/** Whether a card's number is of a brand. */
export function hasBrand(number: string): boolean {
  return verify.number(number).card !== null;
}

function brandOf(number: string): string {
  const brand = verify.number(number).card?.niceType ?? "Visa";
  return brand === "American Express" ? "Amex" : brand;
}
