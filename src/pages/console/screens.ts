import type { ConsoleApp } from "./context.ts";

/** The screens, in the order of the menu. */
export const SCREENS: ((app: ConsoleApp) => void)[] = [];
