/** What may be asked of a payer on a page, each by its path in the create request. */
export const PAYER_FIELDS = {
  name: "customer.name",
  document: "customer.document.number",
  email: "customer.email",
  phone: "customer.phone",
  zipCode: "shipping.address.zipCode",
  street: "shipping.address.street",
  streetNumber: "shipping.address.streetNumber",
  city: "shipping.address.city",
  state: "shipping.address.state",
} as const;

export type PayerField = keyof typeof PAYER_FIELDS;
/** In the order in which a page asks them. */
export const PAYER_FIELD_NAMES = Object.keys(PAYER_FIELDS) as PayerField[];

/** A Brazilian phone: country (55), area, number. */
const PHONE = /^(?:55)?(?<area>[1-9]\d)(?<number>\d{8,9})$/;

/** A Brazilian phone's area code and number, its digits alone; null where the text is none. */
export function parsePhone(text: string): { area: string; number: string } | null {
  const { area, number } = PHONE.exec(text.replaceAll(/\D/g, ""))?.groups ?? {};
  return area === undefined || number === undefined ? null : { area, number };
}
