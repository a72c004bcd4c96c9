import { picturesPage } from "./pictures-page.ts";

/** A screen of the console. In `path`, `CHARGE` is a paid charge's id and `WITHDRAW` a waiting withdraw's. */
interface Screen {
  title: string;
  path: string;
}

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
  withdraws: { title: "withdraws", path: "/console/withdraws" },
  approval: { title: "approve a withdraw", path: "/console/withdraws/WITHDRAW" },
  cashier: { title: "cashier", path: "/console/cashier" },
  settings: { title: "settings", path: "/console/settings" },
  team: { title: "team", path: "/console/team" },
  keys: { title: "keys", path: "/console/keys" },
  audit: { title: "audit", path: "/console/audit" },
  account: { title: "my account", path: "/console/account" },
};

/** What an operator of the gateway sees; company 1 is the local one. */
export const OPERATOR_SCREENS: Record<string, Screen> = {
  operator: { title: "the operator's home", path: "/console/operator" },
  company: { title: "a company's health", path: "/console/operator/companies/1" },
  contradiction: { title: "a contradiction", path: "/console/operator/contradictions/1-1" },
};

/** The Markdown of docs/generated/console.md. */
export function consolePage(): string {
  const screens: Record<string, { title: string }> = {
    ...DOOR_SCREENS,
    ...COMPANY_SCREENS,
    find: { title: "search" },
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
