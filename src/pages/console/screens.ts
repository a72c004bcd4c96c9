import type { ConsoleApp } from "./context.ts";
import { auditScreen } from "./screens/audit/routes.tsx";
import { keysScreen } from "./screens/keys/routes.tsx";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [keysScreen, auditScreen];
