import type { ConsoleApp } from "./context.ts";
import { disputesScreen } from "./screens/disputes/routes.tsx";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [disputesScreen];
