import type { Mutant } from "../mutant.ts";

const PLACES = "src/company/links/reservations.ts";
const PAYMENT_LINKS_TESTS = ["test/security/payment-links.test.ts"];
const PAYMENT_LINKS_PLACES_TESTS = [
  "test/security/payment-links.test.ts",
  "test/worker/api/payment-links/reservations.test.ts",
];

/** The time and the crowd of a limited link's reservations. */
export const linkTimeMutants: Mutant[] = [
  {
    name: "link-crowded-by-one-address",
    file: PLACES,
    text: 'if (!hasTaken && this.#isCrowded(link, command.address, nowMs)) return { kind: "crowded" };',
    replacement: "",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-crowded-unlimited-too",
    file: PLACES,
    text: "if (link.maxPayments === null || address === null) return false;",
    replacement: "if (address === null) return false;",
    tests: PAYMENT_LINKS_PLACES_TESTS,
  },
  {
    name: "link-one-place-more-for-an-address",
    file: PLACES,
    text: "return held >= HELD_PER_ADDRESS_MAX;",
    replacement: "return held > HELD_PER_ADDRESS_MAX;",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-place-longer-by-a-new-pix",
    file: PLACES,
    text: "reservation.renewals + (isAnother ? 1 : 0)",
    replacement: "reservation.renewals",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-renewed-a-third-time",
    file: PLACES,
    text: 'if (reservation.renewals >= RENEWALS_MAX) return { kind: "spent" };',
    replacement: "",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-renewed-early",
    file: PLACES,
    text: 'if (expiresAt - nowMs > RENEWAL_MS) return { kind: "early" };',
    replacement: "",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-renewed-after-its-end",
    file: PLACES,
    text: 'if (expiresAt <= nowMs) return { kind: "ended" };',
    replacement: "",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-renewal-uncounted",
    file: PLACES,
    text: "renewals: reservation.renewals + 1 });",
    replacement: "renewals: reservation.renewals });",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-renewed-place-lapses",
    file: PLACES,
    text: "    this.#checkouts.prolongCharge(transactionId, renewedUntil);\n",
    replacement: "",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-place-never-lapses",
    file: PLACES,
    text: "lapsesAt: expiry === null ? null : expiry + LAPSE_GRACE_MS",
    replacement: "lapsesAt: null",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-payers-quota-is-the-merchants",
    file: PLACES,
    text: "return this.#checkouts.findCharge(transactionId)?.isCounted === true;",
    replacement: "return false;",
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-card-counts-for-the-api",
    file: PLACES,
    text: 'return { source: "link", address: this',
    replacement: 'return { source: "api", address: this',
    tests: PAYMENT_LINKS_TESTS,
  },
  {
    name: "link-fourth-pix-in-time",
    file: PLACES,
    text: 'if (hasTaken && command.isTimed && this.#isSpent(checkoutId)) return { kind: "too_many" };',
    replacement: "",
    tests: PAYMENT_LINKS_TESTS,
  },
];
