import type { ConsoleApp } from "./context.ts";
import { accountScreen } from "./screens/account/routes.tsx";
import { secondFactorScreen } from "./screens/account/second-factor-routes.tsx";
import { confirmScreen } from "./screens/sign-in/confirm-routes.tsx";
import { passkeyRoutes } from "./screens/sign-in/passkey-routes.ts";
import { signInScreen } from "./screens/sign-in/routes.tsx";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [
  signInScreen,
  confirmScreen,
  passkeyRoutes,
  accountScreen,
  secondFactorScreen,
];
