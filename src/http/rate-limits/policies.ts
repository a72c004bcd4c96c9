/** So many requests of one key within a window. */
export interface RateLimitPolicy {
  /** The `ratelimits` binding in wrangler.toml with the same numbers. */
  readonly binding: `LIMIT_${string}`;
  /** Its name in the headers `RateLimit-Policy` and `RateLimit`. */
  readonly name: string;
  readonly quota: number;
  /** Cloudflare counts in windows of 10 and of 60 seconds only. */
  readonly windowSeconds: 10 | 60;
  /** What is limited, for the sentence of the 429. */
  readonly subject: string;
}

/**
 * Every limit of requests (docs/security.md). The platform counts them at each of its locations by itself, so
 * a client that reaches several has so much at each.
 */
export const RATE_LIMITS = {
  /** Rejected credentials of one address. Accepted ones never count. */
  failedLogins: {
    binding: "LIMIT_FAILED_LOGINS",
    name: "failed-logins",
    quota: 300,
    windowSeconds: 60,
    subject: "rejected credentials from this address",
  },
  /** Requests of one address to the console: an office behind one NAT, its counters' screens among them. */
  console: {
    binding: "LIMIT_CONSOLE",
    name: "console",
    quota: 3_000,
    windowSeconds: 60,
    subject: "requests from this address",
  },
  /** Passwords tried from one address, for whatever e-mail: each costs 60 ms and 32 MB. */
  signInAddress: {
    binding: "LIMIT_SIGN_IN_ADDRESS",
    name: "sign-in-address",
    quota: 60,
    windowSeconds: 60,
    subject: "sign-ins from this address",
  },
  /** Passwords tried in a browser in which the person signed in before, which count nowhere else; PINs tried at a shared counter. */
  knownDevice: {
    binding: "LIMIT_KNOWN_DEVICE",
    name: "known-device",
    quota: 10,
    windowSeconds: 60,
    subject: "sign-ins in this browser",
  },
  /** Passwords tried for one e-mail address in the console, and proofs in one session. */
  signIns: {
    binding: "LIMIT_SIGN_INS",
    name: "sign-ins",
    quota: 10,
    windowSeconds: 60,
    subject: "sign-ins of this person",
  },
  /** Requests of one address to routes without credentials: 300 payers behind one NAT, polling each 3 s. */
  publicRoutes: {
    binding: "LIMIT_PUBLIC_ROUTES",
    name: "address",
    quota: 6_000,
    windowSeconds: 60,
    subject: "requests from this address",
  },
  /** Charges that payers of one address make by payment links: many share one behind their carrier's NAT. */
  linkPayments: {
    binding: "LIMIT_LINK_PAYMENTS",
    name: "link-payments",
    quota: 120,
    windowSeconds: 60,
    subject: "payments of links from this address",
  },
  /** Cards that payers of one address try on the pages of links: the testing of stolen cards needs many. */
  cardSessions: {
    binding: "LIMIT_CARD_SESSIONS",
    name: "card-sessions",
    quota: 30,
    windowSeconds: 60,
    subject: "cards from this address",
  },
  /** Callbacks from one address: a PSP has few addresses for all of its companies. */
  callbacks: {
    binding: "LIMIT_CALLBACKS",
    name: "callbacks",
    quota: 20_000,
    windowSeconds: 10,
    subject: "callbacks from this address",
  },
  /** Callbacks under one token, and under all tokens of a company's accounts: more than its object books in a second. */
  callbackToken: {
    binding: "LIMIT_CALLBACK_TOKENS",
    name: "callback-token",
    quota: 5_000,
    windowSeconds: 10,
    subject: "callbacks under this token or of its company",
  },
  /** Requests of one application or operator: 2,000 a second. */
  application: {
    binding: "LIMIT_APPLICATION",
    name: "application",
    quota: 20_000,
    windowSeconds: 10,
    subject: "requests from this application",
  },
  /** Requests of all of a company's applications: 4,000 a second. */
  company: {
    binding: "LIMIT_COMPANY",
    name: "company",
    quota: 40_000,
    windowSeconds: 10,
    subject: "requests from this company",
  },
} as const satisfies Record<string, RateLimitPolicy>;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** What the code uses of a `ratelimits` binding. */
export interface RateLimiter {
  limit: (options: { key: string }) => Promise<{ success: boolean }>;
}

/** The limiters that wrangler.toml binds in deployed environments. */
export type RateLimiters = Partial<
  Record<(typeof RATE_LIMITS)[RateLimitName]["binding"], RateLimiter>
>;

/** The bindings of limiters that an environment lacks. */
export function missingLimiters(env: RateLimiters): string[] {
  return Object.values(RATE_LIMITS)
    .map(({ binding }) => binding)
    .filter((binding) => typeof env[binding]?.limit !== "function");
}
