/**
 * Who asks for money to move: a merchant's application, a person in the console, an operator; a company's own rule,
 * or its provider, where nobody asked.
 */
export const REQUESTER_KINDS = ["application", "person", "operator", "rule", "provider"] as const;

/** Who asked, as the row of the movement stores it and every view shows it (`requestedBy`). */
export interface Requester {
  kind: (typeof REQUESTER_KINDS)[number];
  /** A client id; of a person `person_` and his id; the name of a rule; of a provider its account. */
  id: string;
  name: string;
}

/**
 * Who asked, from what was stored. Rows and entries of before have a client id only, which tells the kind, and no name;
 * null for those that are older still.
 */
export function storedRequester(stored: Requester | string | null | undefined): Requester | null {
  if (stored === undefined || stored === null || stored === "") return null;
  if (typeof stored !== "string") return stored;
  return { kind: stored.startsWith("person_") ? "person" : "application", id: stored, name: "" };
}
