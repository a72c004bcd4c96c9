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
    until: "`processing` until the history has a message of money given back",
    tell: "a refund of a part, then `GET /v1/charge/:id` for two days",
  },
  {
    question: "3DS (`POST /v2/charge/card`)",
    until: "not offered: Efí's own sources contradict each other in five points",
    tell: "one call in its sandbox with `tds_info`",
  },
  {
    question: "How a boleto becomes paid in Efí's sandbox",
    until: "only our fake has paid one",
    tell: "its support, then one whole life there",
  },
  {
    question: "Daily quota of lists, card refunds and retries",
    until: "the endpoint rests until midnight once it answers 3500049 or 3500055",
    tell: "the panel's table of quotas",
  },
];

/** The text of `docs/generated/unproven.md`. */
export function unprovenPage(): string {
  return `# What only a call can tell

Written by \`npm run docs:unproven\`. No house was called for these adapters: they were built from public documents, and
judged by the houses' own packages and by fakes.

## Efí Cobranças

${EFI.map(({ question, until, tell }) => `- **${question}.** Until then: ${until}. Would tell: ${tell}.`).join("\n")}
`;
}
