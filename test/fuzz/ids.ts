import type { Seeded } from "../support/builders/requests/property.ts";

/** More than a short run makes; bounds the memory of a long one. */
const KEPT_MAX = 200;
/** Half of the requests ask for one of the newest, so that an object gets move after move. */
const NEWEST = 4;

/** The ids that answers told, by company and resource. */
export class Ids {
  readonly #known = new Map<string, string[]>();

  pick(companyId: number, resource: string, random: Seeded): string | undefined {
    const known = this.#known.get(`${companyId} ${resourceOf(resource)}`);
    if (known === undefined) return undefined;
    return random.pick(random.fraction() < 0.5 ? known.slice(-NEWEST) : known);
  }

  /** Learns the ids of an answer to a successful request. */
  learn(companyId: number, pathname: string, body: any): void {
    const resource = resourceOf(pathname);
    for (const item of [body, body?.data, ...(Array.isArray(body?.items) ? body.items : [])]) {
      const id = resource === "transactions" ? (item?.transactionId ?? item?.id) : item?.id;
      const isOther = resource === "transactions" && !UUID.test(String(id));
      if (isId(id) && !isOther) this.#add(companyId, resource, String(id));
      if (isId(item?.secureId)) this.#add(companyId, "status", String(item.secureId));
      for (const code of [item?.pix?.qrcode, item?.boleto?.digitableLine, item?.boleto?.barcode]) {
        if (isId(code)) this.#add(companyId, "codes", String(code));
      }
    }
    if (isId(body?.token)) this.#add(companyId, "tokens", String(body.token));
    if (isId(body?.after)) this.#add(companyId, "cursors", String(body.after));
  }

  #add(companyId: number, resource: string, id: string): void {
    const key = `${companyId} ${resource}`;
    const known = this.#known.get(key) ?? [];
    this.#known.set(key, known);
    if (known.includes(id)) return;
    known.push(id);
    if (known.length > KEPT_MAX) known.shift();
  }
}

/** A transaction's timeline has the ids of events, and its list has numbers. */
const UUID = /^[0-9a-f]{8}-/;
const isId = (value: unknown) => typeof value === "string" || typeof value === "number";

/** The plural noun of a path or of the segment before an id. */
function resourceOf(path: string): string {
  if (/transaction/i.test(path)) return "transactions";
  if (/withdraw/i.test(path)) return "withdraws";
  const nouns = path.split("/").filter((part) => /^[a-z-]{3,}$/.test(part));
  return nouns.at(-1) ?? path;
}
