import type { ConsoleApp } from "./context.ts";
import { disputesScreen } from "./screens/disputes/routes.tsx";
import { payersScreen } from "./screens/payers/routes.tsx";
import { settingsScreen } from "./screens/settings/routes.tsx";
import { unexpectedPaymentsScreen } from "./screens/unexpected-payments/routes.tsx";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [
  disputesScreen,
  unexpectedPaymentsScreen,
  payersScreen,
  settingsScreen,
];
