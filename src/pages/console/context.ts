import type { Context, Hono } from "hono";
import type { CashierDevice } from "../../db/people/cashier-devices.ts";
import type { OperatorPerson } from "../../domain/operators/operator.ts";
import type { Person } from "../../domain/access/person.ts";
import type { AppContext } from "../../http/context.ts";
import type { Membership } from "../../db/people/people.ts";

/** A person signed in, by a session cookie. Times in Unix milliseconds. */
export interface Session {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  /** Whether the person has a second factor: an authenticator app or a passkey. */
  hasSecondFactor: boolean;
  hasAuthenticator: boolean;
  hasPasskey: boolean;
  /** When the person last proved a second factor in this session; null if never. */
  secondFactorAt: number | null;
  /** When the person signed in. */
  beganAt: number;
  memberships: Membership[];
  /** The operator of the gateway that this person is; null for a person of companies only. */
  operator: Omit<OperatorPerson, "userId"> | null;
}

export interface ConsoleEnv {
  Bindings: {
    /** The service's own context of the request: its environment, dependencies and trace id. */
    outer: AppContext;
  };
  Variables: {
    /** Set by `requireMember`. A shared counter has none. */
    session: Session;
    /** The signed-in person in the chosen company, set by `requireMember`. */
    person: Person;
    /** The signed-in operator, set by `requireOperatorPerson` only; a page of a company has none. */
    operator?: OperatorPerson;
    /** The shared counter that asks, set by `counterOnly`; any other browser has none. */
    device?: CashierDevice;
  };
}

export type ConsoleContext = Context<ConsoleEnv>;
export type ConsoleApp = Hono<ConsoleEnv, Record<string, never>, "/console">;
