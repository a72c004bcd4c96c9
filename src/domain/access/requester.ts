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
