import { Webhook } from "standardwebhooks";
import { startReceiver, type Received } from "../../../tools/lib/receiver.ts";
import { assertDefined } from "./required.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */

/** One event as it came to one address. */
export interface ReceivedEvent {
  /** `webhook-id`. */
  id: string;
  type: string;
  sequence: number;
  data: any;
  /** What the event is about. */
  object: string;
}

/** What became of one event at one address, over all its posts. */
export interface DeliveryOutcome extends ReceivedEvent {
  /** The life of the service in which it was last answered with 2xx; null where it never was. */
  acceptedInRun: number | null;
  /** Whether a post of it was answered otherwise, or cut. */
  refused: boolean;
}

/** Where both companies' webhooks go: each is verified when it comes, and remembered. */
export interface Inbox {
  endpointUrl(companyId: number): string;
  postbackUrl: string;
  /** To be told when the service was killed: before, nothing accepted may come again. */
  startRun(): void;
  /** How many came in all, repeats included. */
  postCount(): number;
  /** How many of them brought what had been accepted before a kill. */
  repeatCount(): number;
  /** What became of all that came to a path, by `webhook-id`. */
  outcomes(path: string): Map<string, DeliveryOutcome>;
  /** Distinct events that came to a company's endpoint, by their `webhook-id`. */
  events(companyId: number): Map<string, DeliveryOutcome>;
  /** Distinct events of a transaction that came to its `postbackUrl`. */
  postbacks(): Map<string, DeliveryOutcome>;
  /** What no receiver should ever see. */
  problems: string[];
  close(): Promise<void>;
}

/** What a receiver answers to a webhook that it has read; `name` is its address and `webhook-id`. */
export type ReceiverBehavior = (name: string, gone: AbortSignal) => Promise<number | null>;

/** A receiver on loopback that trusts nothing, and takes everything where it has no mood. */
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
      // A process takes a moment to die, and what it sent is no post of the next one.
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

/** Remembers a value; whether another one was there. */
function differs(known: Map<string, string>, key: string, value: string): boolean {
  const before = known.get(key);
  known.set(key, value);
  return before !== undefined && before !== value;
}
