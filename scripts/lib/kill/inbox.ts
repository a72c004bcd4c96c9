import { Webhook } from "standardwebhooks";
import { startReceiver, type Received } from "../receiver.ts";
import { required } from "./required.ts";

/* oxlint-disable typescript/no-explicit-any -- a merchant reads whatever JSON comes */

/** One event as it came to one address. */
export interface Arrival {
  /** `webhook-id`. */
  id: string;
  type: string;
  sequence: number;
  data: any;
  /** What the event is about. */
  object: string;
}

/** Where both companies' webhooks go: each is verified when it comes, and remembered. */
export interface Inbox {
  endpointUrl(companyId: number): string;
  postbackUrl: string;
  /** How many came in all, repeats included. */
  posts(): number;
  /** Distinct events that came to a company's endpoint, by their `webhook-id`. */
  events(companyId: number): Map<string, Arrival>;
  /** Distinct events of a transaction that came to its `postbackUrl`. */
  postbacks(): Map<string, Arrival>;
  /** What no receiver should ever see. */
  problems: string[];
  close(): Promise<void>;
}

/** A receiver on loopback that takes everything and trusts nothing. */
export async function openInbox(secrets: string[]): Promise<Inbox> {
  const problems: string[] = [];
  const byPath = new Map<string, Map<string, Arrival>>();
  const bodies = new Map<string, string>();
  const ids = new Map<string, string>();
  const newest = new Map<string, number>();
  let posts = 0;
  const at = (path: string) => {
    const known = byPath.get(path) ?? new Map<string, Arrival>();
    byPath.set(path, known);
    return known;
  };

  const take = (received: Received): number => {
    posts += 1;
    const id = received.headers["webhook-id"] ?? "";
    const { type, sequence, data } = JSON.parse(received.body);
    const companyId: number = data.companyId;
    try {
      new Webhook(required(secrets[companyId - 1], "a secret")).verify(
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
    at(received.path).set(id, { id, type, sequence, data, object });
    return 200;
  };

  const receiver = await startReceiver(take);
  const { pathname } = new URL(receiver.url);
  return {
    endpointUrl: (companyId) => `${receiver.url}/${companyId}`,
    postbackUrl: `${receiver.url}/postback`,
    posts: () => posts,
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
