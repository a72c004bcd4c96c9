import type { Context, Hono } from "hono";
import type { CashierDevice } from "../../db/people/cashier-devices.ts";
import type { OperatorPerson } from "../../domain/operators/operator.ts";
import type { Person } from "../../domain/access/person.ts";
import type { AppContext } from "../../http/context.ts";
import type { Session } from "./people/session.ts";

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
