/** Cloudflare's API, as far as a deploy asks it by itself: wrangler does the rest. */

const API = "https://api.cloudflare.com/client/v4";
const PAGE = 100;
/** The account has no subdomain of workers.dev yet. */
const NO_SUBDOMAIN = 10_007;
/** "Please enable R2 through the Cloudflare Dashboard". */
const NO_R2 = 10_042;
/** A bucket of that name is there, as when the answer that it was made got lost. */
const BUCKET_EXISTS = 10_004;

/** What runs a deploy; tests replace each. */
export interface DeployTools {
  /** Runs wrangler and answers what it printed. Rejects when it fails. */
  wrangler: (args: string[]) => Promise<string>;
  print: (text: string) => void;
  wait: (ms: number) => Promise<void>;
  env: Record<string, string | undefined>;
}

/** The platform refused a call, or did not answer. */
class PlatformError extends Error {
  readonly status: number;
  readonly codes: number[];

  constructor(message: string, status: number, codes: number[]) {
    super(message);
    this.status = status;
    this.codes = codes;
  }
}

interface Envelope<Result> {
  success: boolean;
  result: Result;
  errors?: { code: number; message: string }[];
}

/** A variable, secret or resource of a deployed version. A secret's value is never told. */
export interface DeployedBinding {
  name: string;
  type: string;
  text?: string;
  bucket_name?: string;
  jurisdiction?: string;
}

/** A bucket of R2. */
export interface Bucket {
  bucket_name: string;
  /** Where its data stays, such as `eu`; absent: anywhere. */
  jurisdiction?: string;
}

/** What becomes of a bucket's objects by their age, those with the prefix or all. */
export interface LifecycleRule {
  id: string;
  enabled: boolean;
  conditions?: { prefix?: string };
  deleteObjectsTransition?: { condition: { type: string; maxAge?: number; date?: string } };
  abortMultipartUploadsTransition?: object;
  storageClassTransitions?: object[];
}

/** A deployment: which versions answer, and how many per cent of the requests each. Newest first in a list. */
export interface Deployment {
  created_on: string;
  versions: { version_id: string; percentage: number }[];
}

/** An account of the platform, signed in to. Each method throws `PlatformError`. */
export class Platform {
  readonly accountId: string;
  readonly #token: string;
  readonly #base: string;

  constructor(token: string, accountId: string, base: string) {
    this.accountId = accountId;
    this.#token = token;
    this.#base = base;
  }

  /** The id of the database of a name, which is made if there is none. */
  async database(name: string): Promise<string> {
    const query = `name=${encodeURIComponent(name)}&per_page=${PAGE}`;
    const found = await this.#call<{ uuid: string; name: string }[]>("GET", `d1/database?${query}`);
    const same = found.find((one) => one.name === name);
    if (same !== undefined) return same.uuid;
    return (await this.#call<{ uuid: string }>("POST", "d1/database", { name })).uuid;
  }

  /** Makes the queues that are not there. Answers the names of those. */
  async makeQueues(names: readonly string[]): Promise<string[]> {
    const query = names.map((name) => `name=${encodeURIComponent(name)}`).join("&");
    const found = await this.#call<{ queue_name: string }[]>("GET", `queues?${query}`);
    const there = new Set(found.map(({ queue_name: name }) => name));
    const missing = names.filter((name) => !there.has(name));
    for (const name of missing) await this.#call("POST", "queues", { queue_name: name });
    return missing;
  }

  /**
   * Makes a bucket if there is none of its name. Returns whether the account has R2. Throws, saying what is missing, if
   * these credentials may not use it.
   */
  async makeBucket(bucket: Bucket): Promise<boolean> {
    try {
      await this.#bucketCall("GET", bucket, "");
      return true;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.codes.includes(NO_R2)) return false;
      if ([401, 403].includes(error.status)) {
        throw new Error(
          `These credentials may not use R2, where the archive is kept: give the token "Workers R2 Storage: Edit". ${error.message}`,
          { cause: error },
        );
      }
      if (error.status !== 404) throw error;
    }
    try {
      const { bucket_name: name, jurisdiction } = bucket;
      await this.#call("POST", "r2/buckets", { name }, jurisdictionOf(jurisdiction));
    } catch (error) {
      if (!(error instanceof PlatformError) || !error.codes.includes(BUCKET_EXISTS)) throw error;
    }
    return true;
  }

  /** What becomes of a bucket's objects by their age. */
  async lifecycleOf(bucket: Bucket): Promise<LifecycleRule[]> {
    const { rules } = await this.#bucketCall<{ rules: LifecycleRule[] }>(
      "GET",
      bucket,
      "/lifecycle",
    );
    return rules;
  }

  async setLifecycle(bucket: Bucket, rules: LifecycleRule[]): Promise<void> {
    await this.#bucketCall("PUT", bucket, "/lifecycle", { rules });
  }

  #bucketCall<Result>(
    method: string,
    { bucket_name: name, jurisdiction }: Bucket,
    part: string,
    body?: object,
  ): Promise<Result> {
    return this.#call(method, `r2/buckets/${name}${part}`, body, jurisdictionOf(jurisdiction));
  }

  /** Stores a client certificate with its key (PEM), which nobody can read again. Answers its id. */
  async uploadCertificate({
    name,
    cert,
    key,
  }: {
    name: string;
    cert: string;
    key: string;
  }): Promise<string> {
    const body = { name, certificates: cert, private_key: key, ca: false };
    return (await this.#call<{ id: string }>("POST", "mtls_certificates", body)).id;
  }

  /** The variables and names of secrets of a deployed Worker; null if there is no such Worker. */
  async bindingsOf(worker: string): Promise<DeployedBinding[] | null> {
    const found = await this.#orNull<{ bindings: DeployedBinding[] }>(
      `workers/scripts/${worker}/settings`,
    );
    return found?.bindings ?? null;
  }

  /** A Worker's deployments, newest first. */
  async deploymentsOf(worker: string): Promise<Deployment[]> {
    const found = await this.#orNull<{ deployments: Deployment[] }>(
      `workers/scripts/${worker}/deployments`,
    );
    return found?.deployments ?? [];
  }

  /** The variables of a version. */
  async bindingsOfVersion(worker: string, version: string): Promise<DeployedBinding[]> {
    const found = await this.#call<{ resources: { bindings: DeployedBinding[] } }>(
      "GET",
      `workers/scripts/${worker}/versions/${version}`,
    );
    return found.resources.bindings;
  }

  /** The account's subdomain of workers.dev. An account that has none gets `wanted`. */
  async subdomain(wanted: string): Promise<string> {
    try {
      return (await this.#call<{ subdomain: string }>("GET", "workers/subdomain")).subdomain;
    } catch (error) {
      if (!(error instanceof PlatformError) || !error.codes.includes(NO_SUBDOMAIN)) throw error;
    }
    const made = await this.#call<{ subdomain: string }>("PUT", "workers/subdomain", {
      subdomain: wanted,
    });
    return made.subdomain;
  }

  /** Whether the account pays for Workers; null if these credentials may not read it. */
  async isPaid(): Promise<boolean | null> {
    try {
      const plans = await this.#call<unknown[]>("GET", "subscriptions");
      return plans.some((plan) =>
        /workers_(paid|enterprise|ent)|"workers paid"/i.test(JSON.stringify(plan)),
      );
    } catch (error) {
      if (error instanceof PlatformError && [401, 403].includes(error.status)) return null;
      throw error;
    }
  }

  /** Runs one statement in a database and answers its rows. */
  async query(
    databaseId: string,
    sql: string,
    params: (string | number)[] = [],
  ): Promise<Record<string, unknown>[]> {
    const [answer] = await this.#call<{ results: Record<string, unknown>[] }[]>(
      "POST",
      `d1/database/${databaseId}/query`,
      { sql, params },
    );
    return answer?.results ?? [];
  }

  async #orNull<Result>(path: string): Promise<Result | null> {
    try {
      return await this.#call<Result>("GET", path);
    } catch (error) {
      if (error instanceof PlatformError && error.status === 404) return null;
      throw error;
    }
  }

  #call<Result>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Result> {
    const below = `accounts/${this.accountId}/${path}`;
    return call<Result>(this.#base, this.#token, { method, path: below, body, headers });
  }
}

/** A bucket of a jurisdiction is known only there. */
function jurisdictionOf(jurisdiction: string | undefined): Record<string, string> {
  return jurisdiction === undefined ? {} : { "cf-r2-jurisdiction": jurisdiction };
}

/**
 * Signs in with CLOUDFLARE_API_TOKEN, or as `wrangler login` did, to CLOUDFLARE_ACCOUNT_ID or the only account there
 * is. Throws, saying what to do, without credentials and for a choice of accounts.
 */
export async function signIn({
  wrangler,
  env,
}: Pick<DeployTools, "wrangler" | "env">): Promise<Platform> {
  const base = env["CLOUDFLARE_API_BASE_URL"] ?? API;
  const token = env["CLOUDFLARE_API_TOKEN"] ?? (await tokenOf(wrangler));
  const accounts = await call<{ id: string; name: string }[]>(base, token, {
    method: "GET",
    path: "accounts?per_page=50",
  });
  const chosen = env["CLOUDFLARE_ACCOUNT_ID"];
  const account =
    chosen === undefined && accounts.length === 1
      ? accounts[0]
      : accounts.find(({ id }) => id === chosen);
  if (account !== undefined) return new Platform(token, account.id, base);
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  throw new Error(`Set CLOUDFLARE_ACCOUNT_ID to one of your accounts:\n${list}`);
}

async function tokenOf(wrangler: DeployTools["wrangler"]): Promise<string> {
  try {
    const printed = await wrangler(["auth", "token", "--json"]);
    const { token } = JSON.parse(printed.slice(printed.indexOf("{"))) as { token?: string };
    if (token !== undefined) return token;
  } catch {
    // Wrangler's own words speak of more ways than there are here.
  }
  throw new Error("Not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
}

interface ApiCall {
  method: string;
  path: string;
  body?: object | undefined;
  headers?: Record<string, string>;
}

async function call<Result>(
  base: string,
  token: string,
  { method, path, body, headers = {} }: ApiCall,
): Promise<Result> {
  const response = await fetch(`${base}/${path}`, {
    method,
    headers: { ...headers, Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new PlatformError(`${method} ${path}: no answer (${String(error)})`, 0, []);
  });
  const text = await response.text();
  const answer = parsed<Envelope<Result>>(text);
  if (response.ok && answer?.success === true) return answer.result;
  const errors = answer?.errors ?? [];
  const words = errors.map(({ code, message }) => `${message} (${code})`).join("; ");
  throw new PlatformError(
    `${method} ${path}: ${response.status} ${words}`,
    response.status,
    errors.map(({ code }) => code),
  );
}

function parsed<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null;
  }
}
