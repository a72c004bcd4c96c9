import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { CARD, CREATE, mistake, PAYER, wrongCreate, type Mistake } from "./mistake.ts";

const BOLETO = { paymentMethod: "BOLETO", customer: PAYER };
const CREDIT_CARD = { paymentMethod: "CREDIT_CARD", customer: PAYER };

/** A create that breaks a business rule: 422. */
function refused(
  title: string,
  fields: Record<string, unknown>,
  code: string,
  says: Record<string, string>,
): Mistake {
  const body = { amount: 2_500, paymentMethod: "PIX", ...fields };
  return mistake(title, () => ({ path: CREATE, body }), 422, code, says);
}

export const AMOUNT_MISTAKES: Mistake[] = [
  wrongCreate(
    "no amount and no method",
    { amount: undefined, paymentMethod: undefined },
    { amount: "is required", paymentMethod: "is required" },
  ),
  wrongCreate(
    "an amount of null",
    { amount: null },
    { amount: "must be an integer number of centavos; got null" },
  ),
  wrongCreate(
    "an amount in a string",
    { amount: "2500" },
    { amount: 'must be an integer number of centavos; got the string "2500"' },
  ),
  wrongCreate(
    "an amount in reais",
    { amount: 25.5 },
    { amount: "must be an integer number of centavos; got the number 25.5" },
  ),
  wrongCreate(
    "an amount as it is printed",
    { amount: "R$ 25,00" },
    { amount: 'must be an integer number of centavos; got the string "R$ 25,00"' },
  ),
  wrongCreate(
    "a negative amount",
    { amount: -2_500 },
    { amount: "must be at least 1 centavos; got the number -2500" },
  ),
  wrongCreate(
    "an amount of 0",
    { amount: 0 },
    { amount: "must be at least 1 centavos; got the number 0" },
  ),
  wrongCreate(
    "an amount above the limit",
    { amount: 1_000_000_000_000 },
    { amount: "must be at most 999999999999 centavos; got the number 1000000000000" },
  ),
  wrongCreate(
    "value instead of amount",
    { amount: undefined, value: 2_500 },
    { amount: "is required", value: "unknown field; did you mean amount?" },
  ),
  wrongCreate(
    "a misspelt amount",
    { amount: undefined, ammount: 2_500 },
    { amount: "is required", ammount: "unknown field; did you mean amount?" },
  ),
];

export const FIELD_MISTAKES: Mistake[] = [
  wrongCreate(
    "the method in lower case",
    { paymentMethod: "pix" },
    { paymentMethod: 'must be PIX, BOLETO or CREDIT_CARD; got the string "pix"' },
  ),
  wrongCreate(
    "a method that there is not",
    { paymentMethod: "DEBIT" },
    { paymentMethod: 'must be PIX, BOLETO or CREDIT_CARD; got the string "DEBIT"' },
  ),
  wrongCreate(
    "payment_method",
    { paymentMethod: undefined, payment_method: "PIX" },
    { paymentMethod: "is required", payment_method: "unknown field; did you mean paymentMethod?" },
  ),
  wrongCreate(
    "brl in lower case",
    { currency: "brl" },
    { currency: 'must be BRL, in capitals; got the string "brl"' },
  ),
  wrongCreate(
    "another currency",
    { currency: "USD" },
    { currency: 'must be BRL; got the string "USD"' },
  ),
  wrongCreate(
    "installments in a string",
    { installments: "1" },
    { installments: 'must be an integer; got the string "1"' },
  ),
  wrongCreate(
    "no installments",
    { installments: 0 },
    { installments: "must be at least 1; got the number 0" },
  ),
  wrongCreate(
    "a customer that is a name",
    { customer: "Maria" },
    {
      customer:
        'must be an object of id, name, email, document, phone, externalRef; got the string "Maria"',
    },
  ),
  wrongCreate(
    "a document that is a string",
    { customer: { document: "52998224725" } },
    { "customer.document": "must be an object of number, type; got a string of 11 characters" },
  ),
  wrongCreate(
    "a CPF with a wrong digit",
    { customer: { document: { number: "52998224724", type: "CPF" } } },
    { "customer.document.number": "is not a valid CPF" },
  ),
  wrongCreate(
    "a CPF as a number",
    { customer: { document: { number: 52_998_224_725 } } },
    { "customer.document.number": "must be a string; got a number" },
  ),
  wrongCreate(
    "a CNPJ called a CPF",
    { customer: { document: { number: "11222333000181", type: "CPF" } } },
    { "customer.document.number": "is not a valid CPF" },
  ),
  wrongCreate(
    "a document type in lower case",
    { customer: { document: { number: "52998224725", type: "cpf" } } },
    { "customer.document.type": 'must be CPF or CNPJ; got the string "cpf"' },
  ),
  wrongCreate(
    "cpf beside the name",
    { customer: { name: "Maria", docment: {} } },
    { "customer.docment": "unknown field; did you mean customer.document?" },
  ),
  wrongCreate(
    "a phone as a number",
    { customer: { phone: 11_987_654_321 } },
    { "customer.phone": "must be a string; got a number" },
  ),
  wrongCreate(
    "an e-mail address without its end",
    { customer: { email: "maria@" } },
    { "customer.email": "must be an e-mail address; got a string of 6 characters" },
  ),
  wrongCreate(
    "an e-mail in a list",
    { customer: { email: ["maria@example.com"] } },
    { "customer.email": "must be a string; got an array of 1" },
  ),
  wrongCreate(
    "a name that is too long",
    { customer: { name: "x".repeat(121) } },
    { "customer.name": "must be at most 120 characters; got a string of 121 characters" },
  ),
  wrongCreate(
    "a state by its name",
    { shipping: { address: { state: "São Paulo" } } },
    { "shipping.address.state": 'must be a two-letter code; got the string "São Paulo"' },
  ),
  wrongCreate(
    "items that are one item",
    { items: { title: "Caneca" } },
    { items: "must be an array; got an object" },
  ),
  wrongCreate(
    "an item with a price in reais and a wrong quantity",
    { items: [{ title: "Caneca", unitPrice: 25.5, quantity: "1" }] },
    {
      "items.0.unitPrice": "must be an integer number of centavos; got the number 25.5",
      "items.0.quantity": 'must be an integer; got the string "1"',
    },
  ),
  wrongCreate(
    "a misspelt field of an item",
    { items: [{ tittle: "Caneca" }] },
    { "items.0.tittle": "unknown field; did you mean items.0.title?" },
  ),
  wrongCreate(
    "traceable in a string",
    { traceable: "true" },
    { traceable: 'must be true or false; got the string "true"' },
  ),
  wrongCreate(
    "a payer's host name for ip",
    { ip: "localhost:3000" },
    { ip: "must be an IP address; got a string of 14 characters" },
  ),
  wrongCreate(
    "metadata that is a number",
    { metadata: 7 },
    { metadata: "must be a string or a JSON object; got a number" },
  ),
  wrongCreate(
    "metadata that is too long",
    { metadata: "x".repeat(4_097) },
    { metadata: "must be at most 4096 characters; got a string of 4097 characters" },
  ),
  wrongCreate(
    "a postbackUrl without https",
    { postbackUrl: "http://loja.example.com/hook" },
    { postbackUrl: "must be https" },
  ),
  wrongCreate(
    "a postbackUrl to an address",
    { postbackUrl: "https://10.0.0.7/hook" },
    { postbackUrl: "must use a public DNS name as its host, not an IP address" },
  ),
  wrongCreate(
    "a postbackUrl without a scheme",
    { postbackUrl: "loja.example.com/hook" },
    { postbackUrl: "must be an absolute URL" },
  ),
  wrongCreate(
    "days in a string",
    { pix: { expiresInDays: "1" } },
    { "pix.expiresInDays": 'must be an integer number of days; got the string "1"' },
  ),
  wrongCreate(
    "a split of the payment",
    { split: [{ walletId: "w-1", percentualValue: 20 }] },
    { split: "unknown field; a payment is not split: all of it goes to the company" },
  ),
  wrongCreate(
    "a PIX for two years",
    { pix: { expiresInDays: 730 } },
    { "pix.expiresInDays": "must be at most 365; got the number 730" },
  ),
];

const PIX_EXPIRY = "pix.expiresInSeconds or pix.expiresInDays or pix.dueDate";

/** A name of a peer, at its place, and ours. */
const FOREIGN: [sent: Record<string, unknown>, field: string, ours: string][] = [
  [{ externalReference: "pedido-1" }, "externalReference", "externalRef"],
  [{ external_id: "pedido-1" }, "external_id", "externalRef"],
  [{ correlationID: "pedido-1" }, "correlationID", "externalRef"],
  [{ order_id: "pedido-1" }, "order_id", "externalRef"],
  [{ webhookUrl: "https://loja.example.com" }, "webhookUrl", "postbackUrl"],
  [{ callbackUrl: "https://loja.example.com" }, "callbackUrl", "postbackUrl"],
  [{ notification_url: "https://loja.example.com" }, "notification_url", "postbackUrl"],
  [{ webhook_url: "https://loja.example.com" }, "webhook_url", "postbackUrl"],
  [
    { description: "Pedido 1" },
    "description",
    "pix.payerMessage or boleto.instructions or metadata",
  ],
  [{ customer: { cpf: "52998224725" } }, "customer.cpf", "customer.document.number"],
  [{ customer: { cnpj: "11222333000181" } }, "customer.cnpj", "customer.document.number"],
  [{ customer: { taxId: "52998224725" } }, "customer.taxId", "customer.document.number"],
  [{ items: [{ name: "Caneca" }] }, "items.0.name", "items.0.title"],
  [{ items: [{ price: 2_500 }] }, "items.0.price", "items.0.unitPrice"],
  [{ items: [{ value: 2_500 }] }, "items.0.value", "items.0.unitPrice"],
  [{ pix: { expiresIn: 3_600 } }, "pix.expiresIn", "pix.expiresInSeconds or pix.expiresInDays"],
  [
    { pix: { expirationDate: "2030-01-01T00:00:00Z" } },
    "pix.expirationDate",
    "pix.expiresInSeconds or pix.dueDate",
  ],
  [{ expiresIn: 3_600 }, "expiresIn", PIX_EXPIRY],
  [{ date_of_expiration: "2030-01-01T00:00:00Z" }, "date_of_expiration", PIX_EXPIRY],
  [{ calendario: { expiracao: 3_600 } }, "calendario", PIX_EXPIRY],
  [{ payer: { email: "maria@example.com" } }, "payer", "customer"],
  [{ devedor: { nome: "Maria" } }, "devedor", "customer"],
  [{ valor: { original: "25.00" } }, "valor", "amount"],
  [{ transaction_amount: 25 }, "transaction_amount", "amount"],
  [{ billingType: "PIX" }, "billingType", "paymentMethod"],
  [{ customer: { phone_number: "+5511987654321" } }, "customer.phone_number", "customer.phone"],
  [{ customer: { cellphone: "11987654321" } }, "customer.cellphone", "customer.phone"],
  [{ card: { ...CARD, exp_month: 12 } }, "card.exp_month", "card.expirationMonth"],
  [{ card: { ...CARD, exp_year: 2030 } }, "card.exp_year", "card.expirationYear"],
  [
    { card: { ...CARD, expiry: "12/30" } },
    "card.expiry",
    "card.expirationMonth or card.expirationYear",
  ],
  [{ card: { ...CARD, ccv: "123" } }, "card.ccv", "card.cvv"],
  [{ cardToken: "abc" }, "cardToken", "card.token"],
  [{ card_id: "abc" }, "card_id", "card.token"],
];

export const FOREIGN_NAME_MISTAKES: Mistake[] = FOREIGN.map(([sent, field, ours]) =>
  wrongCreate(field, sent, { [field]: `unknown field; did you mean ${ours}?` }),
);

export const METHOD_MISTAKES: Mistake[] = [
  wrongCreate(
    "a boleto without its payer",
    { paymentMethod: "BOLETO" },
    {
      "customer.name": "is required for BOLETO",
      "customer.document.number": "is required for BOLETO",
    },
  ),
  wrongCreate(
    "a due date in the past",
    { ...BOLETO, boleto: { dueDate: "2020-01-31" } },
    { "boleto.dueDate": `must not be before today, ${saoPauloDay(Date.now())}` },
  ),
  wrongCreate(
    "a due date as Brazil writes it",
    { ...BOLETO, boleto: { dueDate: "31/12/2030" } },
    { "boleto.dueDate": 'must be a day of the calendar, YYYY-MM-DD; got the string "31/12/2030"' },
  ),
  wrongCreate(
    "a fine of 200 percent",
    { ...BOLETO, boleto: { fine: { type: "PERCENTAGE", value: 20_000 } } },
    { "boleto.fine.value": "must be at most 10000 hundredths of a percent; got the number 20000" },
  ),
  wrongCreate("a card without the card", CREDIT_CARD, { card: "is required for CREDIT_CARD" }),
  wrongCreate(
    "a card number that is none, and a short code",
    { ...CREDIT_CARD, card: { ...CARD, number: "4242424242424241", cvv: "12" } },
    {
      "card.number": "is not a valid card number",
      "card.cvv": "must be 3 or 4 digits; got a string of 2 characters",
    },
  ),
  wrongCreate(
    "a card number as a number",
    { ...CREDIT_CARD, card: { ...CARD, number: 4_242_424_242_424_242 } },
    { "card.number": "must be a string; got a number" },
  ),
  wrongCreate(
    "the month in a string",
    { ...CREDIT_CARD, card: { ...CARD, expirationMonth: "12" } },
    { "card.expirationMonth": 'must be an integer; got the string "12"' },
  ),
  wrongCreate(
    "a year of two digits",
    { ...CREDIT_CARD, card: { ...CARD, expirationYear: 30 } },
    { "card.expirationYear": "must be at least 2000; got the number 30" },
  ),
  wrongCreate(
    "an expired card",
    { ...CREDIT_CARD, card: { ...CARD, expirationYear: 2020 } },
    { "card.expirationYear": "is in the past" },
  ),
  wrongCreate(
    "capture beside the card",
    { ...CREDIT_CARD, card: CARD, capture: false },
    { capture: "unknown field; did you mean card.capture?" },
  ),
  wrongCreate(
    "a token beside a whole card",
    { ...CREDIT_CARD, card: { ...CARD, token: "tok_1" } },
    {
      "card.number": "must not be sent together with a token",
      "card.holderName": "must not be sent together with a token",
      "card.expirationMonth": "must not be sent together with a token",
      "card.expirationYear": "must not be sent together with a token",
      "card.cvv": "must not be sent together with a token",
    },
  ),
  refused("a PIX in installments", { installments: 3 }, "INSTALLMENTS_NOT_ALLOWED", {
    installments: "must be at most 1 for PIX",
  }),
  refused(
    "a card in 24 installments",
    { ...CREDIT_CARD, card: CARD, installments: 24 },
    "INSTALLMENTS_NOT_ALLOWED",
    { installments: "must be at most 12 for CREDIT_CARD" },
  ),
];
