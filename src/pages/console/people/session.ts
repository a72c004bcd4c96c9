import type { PersonRole } from "../../../domain/access/person.ts";

/** A company that a person may open, with the role there. */
export interface Membership {
  companyId: number;
  companyName: string;
  role: PersonRole;
}

/** A person signed in, by a session cookie. Times in Unix milliseconds. */
export interface Session {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  /** Whether the person has a second factor: an authenticator app or a passkey. */
  hasSecondFactor: boolean;
  /** When the person last proved a second factor in this session; null if never. */
  secondFactorAt: number | null;
  memberships: Membership[];
}
