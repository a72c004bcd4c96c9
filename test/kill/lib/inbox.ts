import { Webhook } from "standardwebhooks";
import { startReceiver, type Received } from "../../../tools/lib/receiver.ts";
import { assertDefined } from "./required.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */

/** A received event at one URL. */
export interface ReceivedEvent {
  /** `webhook-id`. */
  id: string;
  type: string;
  sequence: number;
  data: any;
  /** The event's object. */
  object: string;
}

/** The outcome of one event at one URL, over all posts. */
export interface DeliveryOutcome extends ReceivedEvent {
  /** The run of the service in which it was last accepted; null if never. */
  acceptedInRun: number | null;
  /** Whether a post was rejected or cut off. */
  refused: boolean;
}

/** The receiver of both companies' webhooks, which verifies and records each. */
export interface Inbox {
  endpointUrl(companyId: number): string;
  postbackUrl: string;
  /** Call after a kill: before it, no accepted webhook may repeat. */
  startRun(): void;
  /** The number of posts, repeats included. */
  postCount(): number;
  /** The number of posts that were accepted before a kill. */
  repeatCount(): number;
  /** The outcomes of a path, by `webhook-id`. */
  outcomes(path: string): Map<string, DeliveryOutcome>;
  /** Distinct events at a company's endpoint, by `webhook-id`. */
  events(companyId: number): Map<string, DeliveryOutcome>;
  /** Distinct events at a transaction's `postbackUrl`. */
  postbacks(): Map<string, DeliveryOutcome>;
  /** Problems that no receiver may see. */
  problems: string[];
  close(): Promise<void>;
}

/** Decides the response to a webhook; `name` is its URL and `webhook-id`. */
export type ReceiverBehavior = (name: string, gone: AbortSignal) => Promise<number | null>;

/** A receiver on loopback that verifies everything and accepts everything by default. */
export async function openInbox(
  secrets: string[],
  behavior: ReceiverBehavior | null,
): Promise<Inbox> {
  const problems: string[] = [];
  const byPath = new Map<string, Map<string, DeliveryOutcome>>();
  const bodies = new Map<string, string>();
  const ids = new Map<string, string>();
  const newest = new Map<string, number>();
  let posts = 0;
  let repeats = 0;
  let life = 1;
  const at = (path: string) => {
    const known = byPath.get(path) ?? new Map<string, DeliveryOutcome>();
    byPath.set(path, known);
    return known;
  };

  const take = async (received: Received, gone: AbortSignal): Promise<number | null> => {
    posts += 1;
    const id = received.headers["webhook-id"] ?? "";
    const { type, sequence, data } = JSON.parse(received.body);
    const companyId: number = data.companyId;
    try {
      new Webhook(assertDefined(secrets[companyId - 1], "a secret")).verify(
        received.body,
        received.headers,
      );
    } catch (error) {
      problems.push(`wrong: the signature of ${id}: ${String(error)}`);
    }
    const object = `${type.split(".")[0]} ${companyId} ${type.startsWith("balance") ? "" : data.id}`;
    if (differs(bodies, id, received.body)) problems.push(`doubled: two bodies under ${id}`);
    const event = `${object} ${sequence}`;
    if (differs(ids, event, id)) problems.push(`doubled: two webhook-ids of ${event}`);
    const last = newest.get(`${received.path} ${object}`) ?? 0;
    if (sequence < last) {
      problems.push(`wrong: ${object} came to ${received.path} as ${sequence} after ${last}`);
    }
    newest.set(`${received.path} ${object}`, Math.max(last, sequence));
    const cameIn = life;
    const known = at(received.path);
    const arrival = { id, type, sequence, data, object };
    const fate: DeliveryOutcome = known.get(id) ?? {
      ...arrival,
      acceptedInRun: null,
      refused: false,
    };
    known.set(id, fate);
    if (fate.acceptedInRun !== null) repeats += 1;
    if (fate.acceptedInRun === cameIn) {
      problems.push(`doubled: ${id} came to ${received.path} again without a kill in between`);
    }
    const status = behavior === null ? 200 : await behavior(`${received.path} ${id}`, gone);
    if (gone.aborted) return null;
    if (status === 200) fate.acceptedInRun = cameIn;
    else fate.refused = true;
    return status;
  };

  const receiver = await startReceiver(take);
  const { pathname } = new URL(receiver.url);
  return {
    endpointUrl: (companyId) => `${receiver.url}/${companyId}`,
    postbackUrl: `${receiver.url}/postback`,
    startRun: () => {
      // A killed process ends with a delay: its posts do not belong to the next run.
      receiver.closeConnections();
      life += 1;
    },
    postCount: () => posts,
    repeatCount: () => repeats,
    outcomes: at,
    events: (companyId) => at(`${pathname}/${companyId}`),
    postbacks: () => at(`${pathname}/postback`),
    problems,
    close: () => receiver.close(),
  };
}

/** Records a value; returns whether another one was there. */
function differs(known: Map<string, string>, key: string, value: string): boolean {
  const before = known.get(key);
  known.set(key, value);
  return before !== undefined && before !== value;
}
