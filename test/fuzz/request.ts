import type { Seeded } from "../support/builders/requests/property.ts";
import type { Operation } from "../support/probes/http/operations.ts";
import type { Ids } from "./ids.ts";
import { encoded, type Junk } from "./values.ts";

export interface FuzzRequest {
  method: string;
  pathname: string;
  query: [name: string, value: string][];
  /** Repeated names stand twice. */
  headers: [name: string, value: string][];
  /** JSON; undefined for none. */
  body: any;
  /** Sent instead of `body`. */
  rawBody?: string | Uint8Array;
}

export interface Caller {
  /** The company whose ids the requests use. */
  companyId: number;
  otherCompanyId: number;
  credentials: Record<string, string>;
  operatorCredentials: Record<string, string>;
  /** In every free text of this company, in no text of the other. */
  marker: string;
}

/** The sandbox's cards, as docs/api.md lists them. */
const CARD_NUMBERS = [
  "4242424242424242",
  "4242424242424242",
  "4242424242424242",
  "4111111111111111",
  "4000000000000002",
  "4000000000009995",
  "4000000000000069",
  "4000000000000127",
  "4000000000000119",
];
const AMOUNTS = [101, 1_000, 1_099, 1_098, 2_500, 10_000];
/** Keys, so that requests meet the key of an earlier one. */
const KEYS = 40;

/** Builds the valid request of an operation, with the ids that a company knows. */
export class Requests {
  readonly #random: Seeded;
  readonly #junk: Junk;
  readonly #ids: Ids;

  constructor(random: Seeded, junk: Junk, ids: Ids) {
    this.#random = random;
    this.#junk = junk;
    this.#ids = ids;
  }

  /** A request as a merchant might send it. */
  valid(operation: Operation, caller: Caller): FuzzRequest {
    const isOperators = operation.path.includes("/operator/");
    const headers = Object.entries(
      isOperators && this.#random.fraction() < 0.7
        ? caller.operatorCredentials
        : caller.credentials,
    );
    const query: [string, string][] = [];
    for (const { name, in: place, schema } of operation.parameters) {
      const isLeftOut = place === "query" && name !== "currency" && this.#random.fraction() < 0.6;
      if (isLeftOut || place === "path") continue;
      if (place === "query") query.push([name, this.#queryValue(name, schema, caller)]);
      else if (name === "Idempotency-Key") headers.push([name, this.#key(caller)]);
      else if (this.#random.fraction() < 0.2) headers.push([name, "true"]);
    }
    const body = operation.bodySchema === undefined ? undefined : this.#bodyOf(operation, caller);
    if (body !== undefined) headers.push(["Content-Type", "application/json"]);
    return {
      method: operation.method,
      pathname: this.#pathOf(operation.path, caller),
      query,
      headers,
      body,
    };
  }

  #key({ marker }: Caller): string {
    return this.#random.fraction() < 0.7
      ? `${marker}_${this.#random.integer(0, 2 ** 50)}`
      : `${marker}_${this.#random.integer(1, KEYS)}`;
  }

  #pathOf(template: string, caller: Caller): string {
    let last = "";
    return template
      .split("/")
      .map((part) => {
        if (!part.startsWith("{")) {
          last = part;
          return part;
        }
        return encoded(this.#idFor(part.slice(1, -1), last, caller));
      })
      .join("/");
  }

  #idFor(name: string, resource: string, caller: Caller): string {
    const whose = this.#random.fraction();
    const isForeign = whose >= 0.8 && whose < 0.95;
    if (name === "companyId") {
      if (whose >= 0.95) return this.#junk.text().slice(0, 300);
      const isOperators = resource === "companies";
      return String(isForeign && !isOperators ? caller.otherCompanyId : caller.companyId);
    }
    const company = isForeign ? caller.otherCompanyId : caller.companyId;
    const known = whose < 0.95 ? this.#ids.pick(company, resource, this.#random) : undefined;
    return known ?? (this.#junk.text().slice(0, 300) || "0");
  }

  #queryValue(name: string, schema: any, caller: Caller): string {
    if (schema?.enum !== undefined) return this.#random.pick(schema.enum as string[]);
    switch (name) {
      case "currency":
        return "BRL";
      case "from":
        return "2026-01-01T00:00:00.000Z";
      case "to":
        return "2030-01-01T00:00:00.000Z";
      case "ids":
        return [1, 2]
          .map(() => this.#ids.pick(caller.companyId, "transactions", this.#random) ?? "x")
          .join(",");
      case "transactionId":
        return this.#ids.pick(caller.companyId, "transactions", this.#random) ?? "x";
      case "externalRef":
        return caller.marker;
      case "document":
        return "12345678909";
      case "company":
        return String(caller.companyId);
      case "code":
        return this.#ids.pick(caller.companyId, "codes", this.#random) ?? "0002";
      case "after":
        return this.#ids.pick(caller.companyId, "cursors", this.#random) ?? "1";
      default:
        return String(this.#random.integer(1, 100));
    }
  }

  #bodyOf(operation: Operation, caller: Caller): any {
    const { bodies, bodySchema } = operation;
    const body =
      bodies.length > 0 && this.#random.fraction() < 0.8
        ? structuredClone(this.#random.pick(bodies))
        : this.#fromSchema(bodySchema);
    if (typeof body !== "object" || body === null) return body;
    this.#fill(body, caller);
    return body;
  }

  /** Values of the sandbox, so that charges and withdraws come about. */
  #fill(body: any, caller: Caller): void {
    const random = this.#random;
    if (typeof body.amount === "number") body.amount = random.pick(AMOUNTS);
    if ("paymentMethod" in body) {
      body.externalRef = caller.marker;
      body.customer = { ...body.customer, name: `Payer ${caller.marker}` };
      const token = this.#ids.pick(caller.companyId, "tokens", random);
      if (body.card !== undefined && (token === undefined || random.fraction() < 0.7)) {
        body.card = { ...rawCard(random.pick(CARD_NUMBERS)), capture: random.fraction() < 0.5 };
      } else if (body.card !== undefined) body.card = { token };
    }
    if ("number" in body && "cvv" in body) Object.assign(body, rawCard(random.pick(CARD_NUMBERS)));
    if ("pixKey" in body && random.fraction() < 0.3) {
      delete body.pixKey;
      delete body.pixKeyType;
    }
    if ("frozen" in body && random.fraction() < 0.8) body.frozen = false;
    if ("url" in body) body.url = random.pick(["", "https://loja.example.com/hook"]);
  }

  #fromSchema(schema: any, depth = 0): any {
    const random = this.#random;
    if (schema === undefined || depth > 6) return null;
    if (schema.enum !== undefined) return random.pick(schema.enum as unknown[]);
    if (schema.example !== undefined && random.fraction() < 0.7) {
      return structuredClone(schema.example);
    }
    const one = schema.anyOf ?? schema.oneOf;
    if (one !== undefined) return this.#fromSchema(random.pick(one as unknown[]), depth + 1);
    const type = Array.isArray(schema.type) ? random.pick(schema.type as string[]) : schema.type;
    switch (type) {
      case "object": {
        const required = new Set<string>(schema.required);
        return Object.fromEntries(
          Object.entries<any>(schema.properties ?? {})
            .filter(([name]) => required.has(name) || random.fraction() < 0.5)
            .map(([name, inner]) => [name, this.#fromSchema(inner, depth + 1)]),
        );
      }
      case "array":
        return Array.from({ length: random.integer(0, 3) }, () =>
          this.#fromSchema(schema.items, depth + 1),
        );
      case "integer":
      case "number": {
        const [min, max] = [schema.minimum ?? 0, schema.maximum ?? 1_000_000];
        return random.pick([min, max, random.integer(min, max)]);
      }
      case "boolean":
        return random.fraction() < 0.5;
      case "null":
        return null;
      default:
        return this.#textOf(schema);
    }
  }

  #textOf(schema: any): string {
    if (schema.format === "date") return "2026-12-31";
    if (schema.format === "date-time") return "2026-12-31T00:00:00.000Z";
    if (schema.maxLength !== undefined && this.#random.fraction() < 0.2) {
      return "é".repeat(schema.maxLength as number);
    }
    return "Texto";
  }
}

function rawCard(number: string) {
  return {
    number,
    holderName: "MARIA DA SILVA",
    expirationMonth: 12,
    expirationYear: 2030,
    cvv: "123",
  };
}
