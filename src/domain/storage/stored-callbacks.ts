/**
 * Callbacks of PSPs that are stored until they are confirmed. More are refused, and the PSP sends them again;
 * reconciliation finds lost ones in the PSP's lists.
 */
export const STORED_CALLBACKS = {
  /** Callbacks of an account: a silent one leaves the company's others their room. */
  account: 1_000,
  /** Of them those that cannot be parsed. They stay 90 days, and must not displace evidence that can be read. */
  unreadable: 200,
  /** Callbacks of all of a company's accounts. Counting them reads the company's rows. */
  company: 5_000,
  /** Of them those that cannot be parsed. */
  companyUnreadable: 1_000,
} as const;

type StoredCallbacksName = keyof typeof STORED_CALLBACKS;
export const STORED_CALLBACKS_NAMES = Object.keys(STORED_CALLBACKS) as StoredCallbacksName[];
