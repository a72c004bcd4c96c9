const PIX = `Make static PIX codes, and read any PIX code.

**Decode**: \`code\` is percent-encoded (a bare \`+\` is a space). The answer names the first broken rule. \`keyType\` is null for eleven bare digits (CPF or phone). \`reusable\` is false only where the code says so (01 is 12).

- **Refused**, stricter than most: repeated fields, two Pix accounts, invisible characters, names above 25 and cities above 15 characters, postal codes other than 8 digits, a dynamic code's txid.
- **Accepted**: lengths of non-ASCII text in characters, a lower-case CRC, fewer than two decimals, a hyphen in the txid.

**With a due date**: \`payerMessage\` and \`additionalInfo\` are seen by the payer only. \`dueDate\` has \`fine\`, \`interest\` and \`discount\` in the shapes and rules of a boleto; its other fields without it are a 400.

- **Amount due**: the discount to its date, the fine once and the interest for each day after the due date, on the amount without the fine; each rounded half up; at least 1 centavo. A due date, a discount's date or a last day on a weekend or a holiday of all banks (Lei 662/1949, 6.802/1980, 14.759/2023; Resolução CMN 4.880) counts as the next business day; unlike a boleto's, the interest counts from that day.
- **What a bank may ask**: the payer's bank computes the sum, so a payment is the charge's, with \`underpaid\` false, if any of these explains it; another amount is \`WRONG_AMOUNT\`. (1) Holidays of the payer's state and town (Pix API, \`validadeAposVencimento\`; bacen/pix-api issues 109 and 167): at most two business days (Lei 9.093/1995). (2) Each amount rounded half up, half even or cut, and the daily rate cut or rounded at the fifth decimal (bacen/pix-api issue 607). (3) Until 01:00 the day before: a bank may hold a PIX for an hour by night (Regulamento do Pix, art. 39). The same holds for a boleto, from the unmoved due date.
- **Answer and events**: \`pix\` also has \`amountDue\` on \`amountDueOn\`: the day of payment, else of the last change. The code names no amount.
- **End**: the charge stays open for a week after \`expirationDate\`, because of holidays of states and towns, and is then cancelled (\`EXPIRED\`).
- **Sandbox**: \`/pay\` without \`amount\` pays what is due that day, also after the end.

**Static codes**:

- **A payment's transaction**, one for each end-to-end id, has no customer, no \`pix\` and no expiry, and can be refunded. Its \`amount\` is the code's, so that a payment of less is \`underpaid\`; where the code has none it is what came.
- **\`txid\`** (25 letters and digits, the code's id in base 36) is in each payment at the bank.
- **The key** is that of the company's PSP at the time. After a change of PSP print new codes within 100 days.`;

const BOLETO = `Read any boleto: a digitable line (47 digits) or barcode (44), by BACEN's Carta-Circular 2926/2000 and FEBRABAN's layout.

A bad one has every broken rule; \`bad_field_1\` to \`bad_field_3\` name the mistyped part. Factor 9999 was 2025-02-21, the next day 1000 again. A changed digit of factor, value or a barcode's free field can go unseen where the general check digit is 1. Taxes and utilities (arrecadação), and currencies other than real, are refused.

**The slip**: \`boleto.url\` (\`GET /boletos/{secureId}\`) is a page, \`boleto.pdfUrl\` (\`.pdf\`) one A4 page: receipt and ficha de compensação. Neither needs credentials: give the link to the payer alone. A closed boleto says \`PAGO\`, \`DEVOLVIDO\`, \`CANCELADO\` or \`EXPIRADO\`, without line, barcode or PIX code.

- **Barcode**: print at 100 %. A hybrid boleto adds its PIX code.
- **Terms** show today's amount.
- **In the PDF** characters outside Portuguese become \`?\` and overlong text ends in \`…\`.`;

const PAYERS = `What the LGPD gives a payer: export and erasure.

- **Export**: pages of up to 20 charges with their events, fewer where these weigh more than 2 MB, then withdraws.
- **Erasure**: the first 100 charges at once, the others within minutes. A charge with something open (payment, refund, dispute) is erased within an hour of its end. It is idempotent, and 200 for an unknown document too. A repeated create answers the erased charge. A payer known only by \`customer.id\` is not found.`;

const PAYMENTS = `Payments that no charge expected as they came: what becomes of them.

**Did it arrive?** \`GET /api/v1/payments/received\` looks from two minutes before to three minutes after the minute on the receipt, at payments that were booked up to ten minutes later. The end-to-end id of a boleto paid by its PIX is not known here; ask by amount.`;

const TRANSACTIONS = `Charge payers, give payments back, and look charges up.

**Timeline**: within a commit the order is cause, move, movement, event. A charge reported cancelled during your cancel was cancelled by it. It has the first 500 causes and newest 1,000 movements; later movements have \`cause: null\`. Refunds refused with 409 or 422 leave no item. Attempts come from D1, which may lag.

**Who paid**: A paid transaction shows \`payer { name, documentMasked, ispb }\` and \`payerMatch\`, as far as the PSP says who paid: Efí does, BACEN's standard has no field for it. \`payerMatch\` compares the document of who paid with the customer's: \`matches\`, \`differs\`, or \`unknown\` where either is missing or too little of it is visible. Where a report does not name the payer the PSP is asked once, for 2 seconds; the booking never depends on it.`;

const RECEIPTS = `Signed proofs of payments and withdraws, and their check.

Before the payment a receipt is a 409 \`INVALID_STATE\`. \`signature.value\` covers the canonical JSON (RFC 8785) of the receipt without that member; a PDF carries its signature as a comment after its end, which covers every byte before it. The key is in \`/.well-known/webhook-keys.json\`.

\`\`\`sh
curl -s http://localhost:8787/receipts/verify -H 'Content-Type: application/pdf' --data-binary @comprovante.pdf
# {"genuine":true,"companyId":1,"signedAt":"2026-11-22T12:30:00.000Z"}
\`\`\`

A paid transaction's receipt also has a public page, \`/r/{secureId}\`. \`genuine\` says nothing of later refunds, and holds while the key is among the gateway's keys.`;

const BOOKKEEPING = `Sums of each day, and the merchant's own list compared.

- **Daily report**: \`gross\` are payments credited to charges, \`fees\` those of these payments. Unexpected payments count once they are credited. Withdraws, their fees and corrections are in the statement only.
- **Fiscal document**: \`fiscalKey\` is the 44-digit access key of a DF-e (from 2026 the issuer's CNPJ in it may have letters), whose check digit is verified.
- **Reconcile** (a body up to 256 KiB): of at most 1,000 transactions, because lines of another request count as unknown.
- **OFX**: a line's \`FITID\` is its \`sequence\` and never changes; \`LEDGERBAL\` is the balance at \`to\` (by default now). Times are São Paulo's.`;

const PEOPLE = `Who signs in to the console for the company, and in which role.

An application acts as an admin who gives no role that would escape its scopes, networks, end or spending limits. The gateway keeps a hash of an invitation's link and e-mails it where it has e-mail.`;

const OPERATOR = `For who runs the gateway, with an operator's key. No key of a company works here. What a role may also do:

- \`read\`: read every company, contradiction, status and audit trail; payers masked.
- \`support\`: verify and repair projections.
- \`finance\`: propose and approve decisions on withdraws, refunds, contradictions, payments.
- \`admin\`: create, change, freeze, move and close companies; their keys and PSPs; operators.

**Deciding a withdraw or refund**: 409 while in progress or not asked about yet.

**Two operators**: 202 with a proposal, which another operator approves within 72 hours; \`/refuse { reason }\` ends it. With one operator only: 409 \`SECOND_OPERATOR_REQUIRED\`.

**Contradictions** are conflicts between bank and ledger that people end; until then \`held\` cannot be withdrawn. 409: an action that does not fit, or no longer. Each action ends some kinds:

- \`dismiss\`: every kind. It books nothing; entries of \`entry_set_aside\` never reach D1.
- \`correct\`: all but \`payment_set_aside\`, \`entry_set_aside\`, \`ledger_anchor\`. It books signed \`amount\` as \`correction\`, at most what is in question.
- \`apply\`: \`payout_status\` of a withdraw undone here, paid at the bank. It books the withdraw as paid: from available, then debt.
- \`credit\`: \`payment_set_aside\`. It books the payment to the charge \`transactionId\`.
- \`return\`: \`payment_set_aside\`. It books a return; if the bank refuses, the payment stays an unexpected one.
- \`retry\`: \`entry_set_aside\`. It books nothing: its entries are tried again at once.

**Status of a company** compares PSP balances with the ledger: \`difference\` is bank less ledger, \`openItems\` may have left the bank already, \`unexplained\` is the rest.`;

/** Every tag of a route with what holds for all of them, in the order of the reference. `Public` and `Operator` say who may call. */
export const TAGS = [
  ["Transactions", TRANSACTIONS],
  ["Withdraws", "Send the company's money to a PIX key."],
  ["Disputes", "What payers' banks ask back, and what the merchant says to it."],
  ["Balance", "What the company has, what comes, and each posting."],
  ["Bookkeeping", BOOKKEEPING],
  ["Checkout", "What a payer's browser may ask about a charge."],
  ["Payment links", "Pages on which anybody pays, once or as often as the link allows."],
  ["Subscriptions", "Debits that payers approve once at their banks (Pix Automático)."],
  ["Cards", "Tokens in the place of card numbers."],
  ["PIX", PIX],
  ["Boleto", BOLETO],
  ["Webhooks", "Where events go, what signs them, and each delivery."],
  ["Events", "The company's events in order, for who missed a webhook."],
  ["Settings", "The company's rules, allowed PIX keys and audit trail."],
  ["Applications", "The company's applications and their API keys."],
  ["People", PEOPLE],
  ["Receipts", RECEIPTS],
  ["Refunds", "Refunds and returns that wait for somebody's approval."],
  ["Payments", PAYMENTS],
  ["Payers", PAYERS],
  ["Sandbox", "Play the payer, the bank and the clock. Sandbox companies only."],
  ["Public", "Operations without credentials, each limited by the caller's address."],
  ["Operator", OPERATOR],
  ["Provider callbacks", "For PSPs only. The gateway queries the PSP about what they report."],
] as const;
