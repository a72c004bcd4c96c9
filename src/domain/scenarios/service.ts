import * as z from "zod";
import type { ScenarioRequest } from "./requests.ts";

/** An answer of the public API. */
export interface ScenarioAnswer {
  status: number;
  body: unknown;
}

/** The service that a scenario is played on, as its company sees it. */
export interface ScenarioService {
  send: (request: ScenarioRequest) => Promise<ScenarioAnswer>;
  /** Lets the service write down what has just happened. */
  pause: () => Promise<void>;
  /** Aborted where no further step shall be made. */
  stop?: AbortSignal;
}

/** The API refused what is no step of the scenario, such as moving the clock: it cannot be played here. */
export class ScenarioRefused extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor({ status, body }: ScenarioAnswer) {
    super(problemOf(body).detail);
    this.status = status;
    this.body = body;
  }
}

const Problem = z.object({ code: z.string(), detail: z.string().default("") });

/** The code of a problem and its sentence. */
export function problemOf(body: unknown): { code: string; detail: string } {
  const { data } = Problem.safeParse(body);
  return data ?? { code: "UNKNOWN", detail: "The service answered something else than expected." };
}

/** Sends a request that must be answered, and reads the answer. Throws `ScenarioRefused` where it is refused. */
export async function ask<Schema extends z.ZodType>(
  { send }: ScenarioService,
  request: ScenarioRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const answer = await send(request);
  const { data, success } = schema.safeParse(answer.body);
  if (answer.status >= 300 || !success) throw new ScenarioRefused(answer);
  return data;
}
