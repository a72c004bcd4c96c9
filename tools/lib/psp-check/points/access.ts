import { tokenRequest } from "../../../../src/providers/pix-api/client.ts";
import { scopesOf } from "../../../../src/providers/pix-api/config.ts";
import { TokenAnswer } from "../../../../src/providers/pix-api/wire.ts";
import { jsonOf, type Bench, type Exchange } from "../bench.ts";
import type { Point } from "../point.ts";
import { randomTxid } from "../ids.ts";

const TOKEN_LIFE_MIN_S = 60;
const CLOCK_TOLERANCE_MS = 60_000;
const OLD_TLS = /^(?:SSL|TLSv1(?:\.1)?$)/;

/** The token request that the gateway's client made. */
function tokenExchange(bench: Bench): Exchange | null {
  return bench.exchanges.find(({ url }) => bench.isToken(url)) ?? null;
}

function tokenBody(bench: Bench): Record<string, unknown> {
  return (jsonOf(tokenExchange(bench)?.text ?? "") ?? {}) as Record<string, unknown>;
}

const isPlain = ({ api }: Bench["config"]) => new URL(api.tokenUrl).protocol === "http:";

/** Access: the token, and what becomes of calls without one. */
export const ACCESS_POINTS: Point[] = [
  {
    name: "token",
    needs: [],
    run: async (bench: Bench) => {
      // The gateway's own first call, which asks for a token.
      await bench.provider.findCharge(randomTxid());
      const asked = tokenExchange(bench);
      bench.demand(asked !== null && asked.status !== 0, "no answer came", asked);
      bench.demand(asked.status === 200, `the status is ${asked.status}`, asked);
      const read = TokenAnswer.safeParse(jsonOf(asked.text));
      const fault = read.error?.issues[0];
      bench.demand(read.success, `${fault?.path.join(".")}: ${fault?.message}`, asked);
    },
  },
  {
    name: "token_life",
    needs: ["token"],
    run: async (bench: Bench) => {
      const { expires_in: life } = tokenBody(bench);
      const holds = typeof life === "number" && life >= TOKEN_LIFE_MIN_S;
      bench.demand(holds, `expires_in is ${JSON.stringify(life)}`, tokenExchange(bench));
    },
  },
  {
    name: "token_scope",
    needs: ["token"],
    run: async (bench: Bench) => {
      const { scope } = tokenBody(bench);
      if (typeof scope !== "string") return;
      const given = new Set(scope.split(" "));
      const lacks = scopesOf(bench.config.api)
        .split(" ")
        .filter((word) => word !== "" && !given.has(word));
      bench.demand(lacks.length === 0, `it lacks ${lacks.join(", ")}`, tokenExchange(bench));
    },
  },
  {
    name: "token_wrong_secret",
    needs: ["token"],
    leftOut: ({ api }) =>
      api.tokenClient === "certificate" ? "the client certificate stands for the secret" : null,
    run: async (bench: Bench) => {
      const { tokenUrl } = bench.config.api;
      const asked = tokenRequest(bench.config.api, "no secret of this client");
      const { status, exchange } = await bench.exchange(new URL(tokenUrl), asked);
      bench.demand([400, 401].includes(status), `the status is ${status}`, exchange);
    },
  },
  {
    name: "unknown_token",
    needs: ["token"],
    run: async (bench: Bench) => {
      const { status, exchange } = await bench.call({
        path: ["cob", randomTxid()],
        bearer: "no-token-of-this-client",
      });
      bench.demand(status === 401, `the status is ${status}`, exchange);
    },
  },
  {
    name: "tls",
    needs: ["token"],
    leftOut: (config) => (isPlain(config) ? "plain http to this machine" : null),
    run: async (bench: Bench) => {
      const version = bench.tlsVersion;
      const isNew = version !== null && !OLD_TLS.test(version);
      bench.demand(isNew, `the version is ${version}`);
    },
  },
  {
    name: "mtls",
    needs: ["token"],
    leftOut: (config) => {
      if (isPlain(config)) return "plain http to this machine";
      return config.certificate === null ? "no certificate is configured" : null;
    },
    run: async (bench: Bench) => {
      const { api } = bench.config;
      const asked = new Request(api.tokenUrl, tokenRequest(api, api.clientSecret));
      const answer = await bench.withoutCertificate(asked);
      bench.demand(answer?.ok !== true, "a token came without it");
    },
  },
  {
    name: "clock",
    needs: ["token"],
    run: async (bench: Bench) => {
      for (const exchange of bench.exchanges) {
        const theirs = Date.parse(exchange.headers.get("Date") ?? "");
        const isBefore = theirs < exchange.sentAt - CLOCK_TOLERANCE_MS;
        const isAfter = theirs > exchange.answeredAt + CLOCK_TOLERANCE_MS;
        const seconds = Math.round((theirs - exchange.answeredAt) / 1_000);
        bench.demand(!isBefore && !isAfter, `its Date is ${seconds} s ahead of ours`, exchange);
      }
    },
  },
];
