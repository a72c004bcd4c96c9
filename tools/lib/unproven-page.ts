/** What the public sources of a house do not say, and which call to it would. */
interface Unproven {
  question: string;
  /** What we do until then. */
  until: string;
  tell: string;
}

const EFI: Unproven[] = [
  {
    question: "Unit of a monthly interest",
    until:
      "422 but for what thousandths a day express; `termsProven` sends hundredths of a percent",
    tell: "a boleto with `{ type: monthly, value: 100 }`, looked at in the bank's app after its due date",
  },
  {
    question: "What `days_to_write_off: 0` does on a due date at a weekend",
    until: "0 is sent where there is neither fine nor interest",
    tell: "a boleto due on a Saturday, paid on the Monday",
  },
  {
    question: "Whether `GET /v1/charges` lists charges without a method, and as which type",
    until:
      "both types are asked; where none is listed, a second inert charge is made and one is paid",
    tell: "`POST /v1/charge`, then both lists by its `custom_id`",
  },
  {
    question: "Largest `limit`, longest window and form of the dates of `GET /v1/charges`",
    until: "days, 100 asked, and the answered `limit` decides which page is the last",
    tell: "the list of a year with `limit=1000`",
  },
  {
    question: "Whether a boleto that was paid by its Pix has `received_by_bank_at`",
    until: "with it a boleto with Pix was paid at a bank, without it by Pix",
    tell: "one boleto paid by Pix, its list entry and its notice",
  },
  {
    question: "Whether the end of a Pix code's location is the txid in `GET /v2/pix`",
    until: "it is taken for it; a Pix of any other txid waits as unexpected",
    tell: "one boleto paid by Pix on an account with both APIs",
  },
  {
    question: "How a partial refund of a card shows when it is done",
    until:
      "`processing` until the history has a message of money given back, or the charge is `refunded`: all of the payment counts as given back then, by ours and a sum",
    tell: "a refund of a part, then `GET /v1/charge/:id` for two days",
  },
  {
    question:
      "How long a token made with `reuse: true` lives, how it is deleted, how a merchant's repeat is marked",
    until:
      "`card.saveCard` is 422: no source says one of the three, and no look-up gives the token again",
    tell: "such a token charged each month, and its support",
  },
  {
    question: "3DS (`POST /v2/charge/card`)",
    until: "not offered: Efí's own sources contradict each other in five points",
    tell: "one call in its sandbox with `tds_info`",
  },
  {
    question: "Whether any answer has the fee that was taken of a charge",
    until: "none is read: the account tells no settlements",
    tell: "`GET /v1/charge/:id` of a paid charge, beside the account's statement",
  },
  {
    question: "Whether Efí refuses more cards without device data",
    until: "its script is left out, for it loads ClearSale's, so its antifraud knows no device",
    tell: "the share of refusals of a month's cards in production",
  },
  {
    question: "How a boleto becomes paid in Efí's sandbox",
    until: "only our fake has paid one",
    tell: "its support, then one whole life there",
  },
  {
    question:
      "What another due date does to a boleto's Pix code and to the until-date of its discount",
    until:
      "line and code are read anew after it, the earlier code stays the boleto's, and no day before the discount's is sent",
    tell: "`PUT /v1/charge/:id/billet` of a boleto with Pix and discount, its charge before and after",
  },
  {
    question: "Whether a boleto's line changes with its due date",
    until: "a line of another day is unknown: the change stays open until operators end it",
    tell: "`GET /v1/charge/:id` of a boleto before and after `PUT /v1/charge/:id/billet`",
  },
  {
    question: "Whether a boleto's new due date may be earlier than its present one",
    until: "any later than today is sent; a refusal leaves the day that it has",
    tell: "`PUT /v1/charge/:id/billet` with an earlier day",
  },
  {
    question: "Daily quota of lists, card refunds and retries",
    until: "the endpoint rests until midnight once it answers 3500049 or 3500055",
    tell: "the panel's table of quotas",
  },
];

/** Its list of the MED's infractions and their defences: from its manual and its package. */
const EFI_MED: Unproven[] = [
  {
    question: "Who wins at `ACEITA`, and what `EM_DEFESA` and `CANCELADA_EFI` mean",
    until:
      "what is accepted or rejected is the payer's claim: `ACEITA` is our `refused`, `REJEITADA` our `accepted`, `EM_DEFESA` our `under_analysis`, `CANCELADA_EFI` our `withdrawn`; the dispute itself follows `devolucoes` alone",
    tell: "one case of each end, beside the payment's `devolucoes`",
  },
  {
    question: "Which `analise` a defence has",
    until: "`rejeitado`, the only word of the package; the manual's example has `aceito`",
    tell: "one defence with it, then `status` in the list",
  },
  {
    question: "Length of `justificativa`, and whether it keeps line breaks",
    until:
      "the evidence, items, payer, payment and dispute of the dossier are sent whole, the evidence first; a refusal is shown in Efí's words",
    tell: "a defence of 20,000 characters, and `defesa` in the list",
  },
  {
    question: "Whether a case takes a second defence",
    until: "none is sent; the manual answers one with 409",
    tell: "a defence posted twice",
  },
  {
    question: "Whether a payment has a `devolucao` of the MED while its case is `ABERTA`",
    until:
      "a dispute begins with it: if it comes with the decision, the defence is refused as too late",
    tell: "`GET /v2/pix/:e2eId` on each day of one case",
  },
  {
    question: "By which time `GET /v2/gn/infracoes` counts, its longest window and page",
    until:
      "from the day before the payment until now, 100 a page, at most 1,000; a case that is not there is looked for again",
    tell: "lists of single days around a payment and its case",
  },
  {
    question: "How soon the list shows a defence, and whether `defesa` is its text",
    until:
      "ours is known by its id in `defesa`; an open case without a defence is sent one, a minute after an answer that was lost",
    tell: "the list in the seconds after a defence",
  },
  {
    question: "Whether a token with `gn.infractions.read` and `.write` is given to any application",
    until:
      "both are asked for where `disputeDesk` is Efí's and `scope` null; the test address has neither call",
    tell: "a token with both, in production",
  },
  {
    question: "Fees of PIX",
    until:
      "none is read: `POST /v2/gn/relatorios/extrato-conciliacao` has `tarifaPixRecebido`, but no schema gives the columns of its file",
    tell: "the report of a day with one PIX, beside the account's statement",
  },
];

const PAGARME: Unproven[] = [
  {
    question: "What `PATCH /Charges/{id}/due-date` does to the boleto's line, fine and interest",
    until: "422: the package has its request, and no source its answer or when it is refused",
    tell: "a boleto's due date changed with test keys, its charge before and after",
  },
  {
    question: "Words and units of a boleto's fine and interest",
    until:
      "422; `termsProven` sends `flat` or `percentage`, and the interest as a percentage a month",
    tell: "a boleto with both, looked at in a bank's app after its due date",
  },
  {
    question: "Whether `due_at` is cut to a day in UTC or in São Paulo",
    until: "noon of São Paulo is sent, which is one day in both",
    tell: "a boleto with `due_at` at 01:00 UTC, and the day in its line",
  },
  {
    question: "Which of the payer's data the antifraud demands",
    until:
      "e-mail and phone of everybody, the address of a boleto's payer; the rest is sent when there",
    tell: "orders without each of them, with test keys",
  },
  {
    question: "Whether `code` is unique, and found at once by `GET /orders?code=`",
    until: "a lost create is sent again under its key; two orders of one code are unknown",
    tell: "two orders of one code with different keys, looked up within a second",
  },
  {
    question: "Whether `canceled_amount` has what a partial capture released",
    until: "it counts as given back only once the charge is cancelled, wholly or in part",
    tell: "a partial capture, then a partial refund",
  },
  {
    question: "Until when an authorization may be captured in v5",
    until: "the house's own refusal is shown; its older API said 5 days",
    tell: "a capture on each day from the fifth",
  },
  {
    question: "How the house says that a card's token has expired or was used",
    until:
      "a 412 to an order by token whose words name a token, and of which a look-up finds no order, is `CARD_TOKEN_EXPIRED`; any other is `PROVIDER_REFUSED`",
    tell: "an order by a token of 61 seconds, and one by a token that was charged",
  },
  {
    question: "What `retry_info.transaction_limit` and `transaction_date_limit` of a gateway count",
    until:
      "the attempts that are left and, where none is, when the count begins anew; shown with the refusal where stricter than the brand's rules",
    tell: "three declines of one card at a gateway with Stone as its acquirer",
  },
  {
    question: "Whether each card charged by a token stays in the wallet of the order's customer",
    until:
      "a saved card is the order's `customer.id` and `card.id`; without them the charge saves none",
    tell: "`GET /customers/{id}/cards` after a charge by a token",
  },
  {
    question: "Words of `initiated_type` and `recurrence_model` for a merchant's repeat",
    until: "`recurrence: true` with the first charge in `payment_origin` is sent",
    tell: "its support, then the acquirer's interchange of one such repeat",
  },
  {
    question: "Whether a card that is saved twice has one id",
    until: "it is deleted once the payer has saved it no longer",
    tell: "two charges by tokens of one card and one e-mail",
  },
  {
    question: "Whether notices are signed",
    until: "nothing of them is believed but which charge to ask about",
    tell: "the headers of one real notice",
  },
  {
    question: "What a charge says of a chargeback that was won later",
    until: "a chargeback is lost, over the whole amount",
    tell: "its dashboard's support",
  },
  {
    question: "Largest `size` of `GET /orders`",
    until: "30 are asked, and `paging.next` says whether more follow",
    tell: "the list with `size=100`",
  },
  {
    question:
      "Whether receivables are made with the payment, and paying one is a change (`updated_since`)",
    until: "a line that is missing, or waits, a week later is a difference",
    tell: "one card in two installments, `GET /payables` on each day until both are paid",
  },
  {
    question: "How `GET /payables` takes its cursor",
    until: "`paging.forward_cursor` goes back as `forward_cursor`",
    tell: "a list with `size=1`",
  },
  {
    question: "Whether `fraud_coverage_fee` is part of `fee`, and which fee and sign a refund has",
    until: "both count as taken; refunds and chargebacks take away, whatever their sign",
    tell: "the receivables of a guaranteed payment and of a refund, beside the dashboard's balance",
  },
  {
    question: "How the brands count retries",
    until: "as acquirers' pages say (`domain/cards/retry-rules.ts`, with its marks)",
    tell: "the acquirer's invoice of a month with retries",
  },
];

const PIX_AUTOMATICO: Unproven[] = [
  {
    question:
      "Every call: `POST /locrec`, `POST /rec`, `POST /solicrec`, `GET` and `PATCH /rec`, `/cobr`, `retentativa`",
    until:
      "the central bank's document with its faults repaired judges them, and Efí's package beside it",
    tell: "one subscription of R$ 0.01 in each journey, debited twice",
  },
  {
    question:
      "Whether `PUT /webhookrec` and `/webhookcobr` add `/rec` and `/cobr` to the address as `/webhook` adds `/pix`",
    until: "each address takes each kind of notice, by what its body names",
    tell: "one approval at a PSP, and the path that it posts to",
  },
  {
    question: "Whether `inicio` and `fim` of `GET /rec` and `GET /cobr` mean the creation",
    until: "each open mandate and debit is read by its own id too",
    tell: "a list of the day on which an older mandate was approved",
  },
  {
    question: "How soon `GET /rec` shows a mandate whose `POST` got no answer",
    until: "it is looked for during ten minutes before another is asked for",
    tell: "lists in the seconds after a `POST /rec`",
  },
  {
    question:
      "What a PSP answers to an instruction between D-10 and D-2 on days that only one reading allows",
    until: "it is sent on D-5, within both",
    tell: "an order on each of those days around a holiday",
  },
  {
    question: "How a PSP shows a same-day resend (`RIFL`), and who orders it",
    until: "it is read as an attempt, and ordered by nobody here",
    tell: "a debit on a day on which the payer's bank was down",
  },
  {
    question: "Whether a PSP tells of the payer's bank before he approves",
    until: "codes that nobody approved count for no bank: a bank that cannot read them is not seen",
    tell: "`GET /rec` after a payer has opened the code and closed his app",
  },
  {
    question:
      "What the code FBRD means, and whether the codes of ends mean what Celcoin's words for them say",
    until:
      "each code is shown as it came; FBRD is a refusal without a reason, which another day may pass",
    tell: "the bank's sentence beside such a code",
  },
];

/** The text of `docs/generated/unproven.md`. */
export function unprovenPage(): string {
  return `# What only a call can tell

Written by \`npm run docs:unproven\`. No house was called for these adapters: they were built from public documents, and
judged by the houses' own packages and by fakes.

## Efí Cobranças

${linesOf(EFI)}

## Efí's MED and fees of PIX

${linesOf(EFI_MED)}

## Pagar.me

${linesOf(PAGARME)}

## Pix Automático

${linesOf(PIX_AUTOMATICO)}
`;
}

function linesOf(unproven: Unproven[]): string {
  return unproven
    .map(
      ({ question, until, tell }) =>
        `- **${question}.** Until then: ${until}. Would tell: ${tell}.`,
    )
    .join("\n");
}
