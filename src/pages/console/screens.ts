import type { ConsoleApp } from "./context.ts";
import { newChargeScreen } from "./screens/new-charge/routes.tsx";
import { paymentScreen } from "./screens/payment/routes.tsx";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [newChargeScreen, paymentScreen];
