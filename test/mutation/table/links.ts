import type { Mutant } from "../mutant.ts";

const PAY = "src/api/payment-links/pay.ts";
const PLACES = "src/company/links/reservations.ts";
const TESTS = ["test/worker/company/links/reservations.test.ts"];
const PAGE_TESTS = ["test/worker/api/payment-links/reservations.test.ts"];

/** The reservations of payment links. */
export const linkMutants: Mutant[] = [
  {
    name: "place-of-another-link-taken",
    file: PLACES,
    text: 'if (known !== null && known.link !== link.number) return { kind: "not_found" };',
    replacement: "",
    tests: TESTS,
  },
  {
    name: "place-taken-beyond-the-last",
    file: PLACES,
    text: 'if (!hasTaken && !hasReservation(link)) return { kind: "full" };',
    replacement: "",
    tests: TESTS,
  },
  {
    name: "place-of-a-checkout-taken-twice",
    file: PLACES,
    text: "if (!hasTaken) this.#begin(link, command, nowMs);",
    replacement: "this.#begin(link, command, nowMs);",
    tests: TESTS,
  },
  {
    name: "place-of-an-open-charge-lapses",
    file: PLACES,
    text: '    if (known?.status === "open") return { kind: "taken" };\n',
    replacement: "",
    tests: TESTS,
  },
  {
    name: "place-with-one-charge-too-many",
    file: PLACES,
    text: "(known?.charges ?? 0) >= CHARGES_MAX",
    replacement: "(known?.charges ?? 0) > CHARGES_MAX",
    tests: TESTS,
  },
  {
    name: "place-that-is-sold-taken-again",
    file: PLACES,
    text: "if (known !== null && known.paidBy !== null)",
    replacement: "if (known !== null && known.paidBy !== null && known.charges === 0)",
    tests: TESTS,
  },
  {
    name: "place-sold-to-a-sibling-kept",
    file: PLACES,
    text: "const isSoldTo = paidBy === null || paidBy === terms.transactionId;",
    replacement: "const isSoldTo = true;",
    tests: TESTS,
  },
  {
    name: "place-sold-twice",
    file: PLACES,
    text: 'if (isPaid && checkout.status !== "paid") {',
    replacement: "if (isPaid) {",
    tests: PAGE_TESTS,
  },
  {
    name: "place-of-a-second-method-given-back",
    file: PLACES,
    text: "if (open.length === 0) this.#end(checkout, nowMs);",
    replacement: "if (open.length >= 0) this.#end(checkout, nowMs);",
    tests: PAGE_TESTS,
  },
  {
    name: "place-given-back-after-its-sale",
    file: PLACES,
    text: 'if (isPaid || checkout.status !== "open") return [];',
    replacement: "if (isPaid) return [];",
    tests: TESTS,
  },
  {
    name: "place-never-given-back",
    file: PLACES,
    text: "    this.#checkouts.closeCharge(transactionId);\n",
    replacement: "",
    tests: PAGE_TESTS,
  },
  {
    name: "place-of-a-late-payment-counted-down-twice",
    file: PLACES,
    text: "link.openCount - (isTaken(checkout) ? 1 : 0)",
    replacement: "link.openCount - 1",
    tests: PAGE_TESTS,
  },
  {
    name: "place-paid-otherwise-credited",
    file: PLACES,
    text: 'if (checkout.status === "paid") return "paid_otherwise";',
    replacement: "",
    tests: PAGE_TESTS,
  },
  {
    name: "place-sold-out-credited",
    file: PLACES,
    text: '? null : "sold_out";',
    replacement: "? null : null;",
    tests: PAGE_TESTS,
  },
  {
    name: "link-card-of-another-token-charged-too",
    file: PAY,
    text: "const { card: _token, ...chosen } = request;",
    replacement: "const { ...chosen } = request;",
    tests: ["test/worker/api/payment-links/house-cards.test.ts"],
  },
  {
    name: "link-running-charge-not-shown",
    file: PAY,
    text: "SENT_BEFORE.has(error.details.code)",
    replacement: "false",
    tests: ["test/worker/api/payment-links/house-cards.test.ts"],
  },
];
