import type { ConsoleApp } from "./context.ts";
import { homeScreen } from "./screens/home/routes.tsx";
import { paymentsScreen } from "./screens/payments/routes.tsx";
import { disputesScreen } from "./screens/disputes/routes.tsx";
import { unexpectedPaymentsScreen } from "./screens/unexpected-payments/routes.tsx";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [
  homeScreen,
  paymentsScreen,
  disputesScreen,
  unexpectedPaymentsScreen,
];
