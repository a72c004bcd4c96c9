import type { AccountMethod, AccountProvider } from "../domain/psp/psp-account.ts";
import type { PixApiSettings } from "../domain/psp/psp-settings.ts";
import { pixApiMethods } from "./pix-api/config.ts";

/** What an account of a kind can carry: over the Pix API by its settings. */
export function possibleMethods(
  connection:
    | { provider: "PixApi"; settings: Pick<PixApiSettings, "payouts" | "receiver"> }
    | { provider: Exclude<AccountProvider, "PixApi"> },
): AccountMethod[] {
  return connection.provider === "PixApi"
    ? pixApiMethods(connection.settings)
    : ["BOLETO", "CREDIT_CARD"];
}
