import { picturesPage } from "./pictures-page.ts";

/** A screen of the console. A word in capitals in `path` stands for the id of what `PicturedIds` says. */
interface Screen {
  title: string;
  path: string;
}

/** What a pictured day has: a paid charge, a waiting withdraw, an open dispute, a printed code, a release's day. */
export type PicturedIds = Record<"CHARGE" | "WITHDRAW" | "DISPUTE" | "CODE" | "DAY", string>;

/** What everybody sees before they are in. The code has no path of its own: it follows the password. */
export const DOOR_SCREENS = {
  "sign-in": { title: "sign in", path: "/console/sign-in?next=/console/account" },
  code: { title: "the code" },
  "password-reset": { title: "a new password", path: "/console/password-reset" },
};

/** What the owner of a company sees. */
export const COMPANY_SCREENS: Record<string, Screen> = {
  home: { title: "Hoje", path: "/console" },
  payments: { title: "payments", path: "/console/payments" },
  payment: { title: "one charge", path: "/console/payments/CHARGE" },
  "new-charge": { title: "new charge", path: "/console/charges/new" },
  payers: { title: "clients", path: "/console/payers" },
  statement: { title: "statement", path: "/console/statement" },
  calendar: { title: "calendar", path: "/console/calendar" },
  "calendar-day": { title: "a day of the calendar", path: "/console/calendar/DAY" },
  withdraws: { title: "withdraws", path: "/console/withdraws" },
  approval: { title: "approve a withdraw", path: "/console/withdraws/WITHDRAW" },
  dispute: { title: "a dispute", path: "/console/disputes/DISPUTE" },
  sign: { title: "a sign to print", path: "/console/static-codes/CODE/print" },
  settings: { title: "settings", path: "/console/settings" },
  team: { title: "team", path: "/console/team" },
  keys: { title: "keys", path: "/console/keys" },
  audit: { title: "audit", path: "/console/audit" },
  account: { title: "my account", path: "/console/account" },
};

/** What a cashier sees, one after the other. */
const COUNTER_SCREENS = {
  counter: { title: "the cashier's counter" },
  arrival: { title: "a payment arrived" },
};

/** What an operator of the gateway sees; company 1 is the local one. */
export const OPERATOR_SCREENS: Record<string, Screen> = {
  operator: { title: "the operator's home", path: "/console/operator" },
  company: { title: "a company's health", path: "/console/operator/companies/1" },
  contradiction: { title: "a contradiction", path: "/console/operator/contradictions/1-1" },
};

/** A screen's path in a pictured day. */
export function pathIn(ids: PicturedIds, { path }: Screen): string {
  return path.replace(/[A-Z]{3,}/, (word) => encodeURIComponent(ids[word as keyof PicturedIds]));
}

/** The Markdown of docs/generated/console.md. */
export function consolePage(): string {
  const screens: Record<string, { title: string }> = {
    ...DOOR_SCREENS,
    ...COMPANY_SCREENS,
    find: { title: "search" },
    ...COUNTER_SCREENS,
    ...OPERATOR_SCREENS,
  };
  return picturesPage(
    "docs:console",
    ["wide", "360 px"],
    Object.entries(screens).map(([name, { title }]) => ({
      title,
      files: [`console/${name}-wide.png`, `console/${name}-narrow.png`],
    })),
  );
}
