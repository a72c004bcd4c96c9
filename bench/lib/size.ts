/** How much a run measures: all; fewer repeats and less history; or each thing once, on the least data. */
export type Size = "full" | "quick" | "smoke";
