import { parseBrCode, parseFields } from "../../../../src/methods/pix/br-code-parser.ts";
import { decimalReais } from "../../../../src/domain/shared/money.ts";
import { isSameTxid } from "../../../../src/domain/psp/psp-ids.ts";
import { Cob, CobState } from "../../../../src/providers/pix-api/wire.ts";
import type { PixOrder } from "../../../../src/providers/pix-api/charge-request.ts";
import { jsonOf, type Bench, type Exchange } from "../bench.ts";
import { randomTxid } from "../ids.ts";
import { demandMissing, demandRefused, type Point } from "../point.ts";

const HOUR_MS = 3_600_000;
const CLOCK_TOLERANCE_MS = 60_000;
/** R$ 0.37: an amount that no other test has. */
const AMOUNT = 37;
const NOBODY = {
  externalId: null,
  name: "",
  email: "",
  phone: "",
  documentNumber: "",
  documentType: "",
  address: {},
};

/** An order of the gateway's, which the check cancels at its end. */
export function orderOf(bench: Bench, terms: Partial<PixOrder> = {}): PixOrder {
  const order: PixOrder = {
    chargeId: randomTxid(),
    paymentMethod: "PIX",
    amount: AMOUNT,
    merchantName: "Centavo",
    payer: NOBODY,
    expiresAt: Date.now() + HOUR_MS,
    ...terms,
  };
  bench.made.push(order);
  return order;
}

/** The first charge of the check, and the PSP's answer to its request. */
export function firstCharge(bench: Bench): { order: PixOrder; cob: Cob; exchange: Exchange } {
  const [order] = bench.made;
  const exchange = bench.exchanges.find(
    ({ method, url }) => method === "PUT" && url.pathname.endsWith(order?.chargeId ?? "-"),
  );
  const cob = Cob.parse(jsonOf(exchange?.text ?? ""));
  if (order === undefined || exchange === undefined) throw new Error("No charge was made.");
  return { order, cob, exchange };
}

/** Registers an order by the adapter; demands that it takes the PSP's answer. */
export async function demandRegistered(bench: Bench, order: PixOrder): Promise<void> {
  const outcome = await bench.provider.createCharge(order);
  const exchange = bench.last;
  const read = Cob.safeParse(jsonOf(exchange?.text ?? ""));
  const [fault] = read.error?.issues ?? [];
  const why =
    fault === undefined
      ? "its txid, amount, key, terms or code are not as ordered"
      : `${fault.path.join(".")}: ${fault.message}`;
  bench.demand(
    outcome.kind === "registered",
    `the gateway reads ${outcome.kind}: ${why}`,
    exchange,
  );
}

/** The code that payers copy, of the first charge; null where the PSP leaves it to its location. */
function codeOf(bench: Bench): string | null {
  return firstCharge(bench).cob.pixCopiaECola ?? null;
}

/** The state of the first charge as GET tells it. */
async function readFirst(bench: Bench): Promise<CobState> {
  const { order } = firstCharge(bench);
  const { status, body } = await bench.call({ path: ["cob", order.chargeId] });
  bench.demand(status === 200, `the status is ${status}`);
  const read = CobState.safeParse(body);
  bench.demand(read.success, "its body is no charge");
  return read.data;
}

/** Charges of `/cob`: from a txid that is missing to one that is cancelled. */
export const CHARGE_POINTS: Point[] = [
  {
    name: "cob_missing",
    needs: ["token"],
    run: async (bench: Bench) =>
      demandMissing(bench, await bench.call({ path: ["cob", randomTxid()] })),
  },
  {
    name: "cobv_missing",
    needs: ["token"],
    run: async (bench: Bench) =>
      demandMissing(bench, await bench.call({ path: ["cobv", randomTxid()] })),
  },
  {
    name: "cob_create",
    needs: ["token"],
    run: async (bench: Bench) => demandRegistered(bench, orderOf(bench)),
  },
  {
    name: "cob_time",
    needs: ["cob_create"],
    run: async (bench: Bench) => {
      const { cob, exchange } = firstCharge(bench);
      const ahead = cob.calendario.criacao - exchange.answeredAt;
      const seconds = Math.round(ahead / 1_000);
      const holds = Math.abs(ahead) <= CLOCK_TOLERANCE_MS;
      bench.demand(holds, `criacao is ${seconds} s ahead of the answer`, exchange);
    },
  },
  {
    name: "cob_code",
    needs: ["cob_create"],
    run: async (bench: Bench) => {
      const code = codeOf(bench);
      if (code === null) return;
      const verdict = parseBrCode(code);
      const { exchange } = firstCharge(bench);
      const kind = verdict.valid ? verdict.content.kind : verdict.reason;
      bench.demand(kind === "dynamic", `a strict reader says ${kind}`, exchange);
    },
  },
  {
    name: "cob_code_location",
    needs: ["cob_code"],
    run: async (bench: Bench) => {
      const code = codeOf(bench);
      if (code === null) return;
      const verdict = parseBrCode(code);
      const named = verdict.valid ? verdict.content.location : null;
      const { cob, exchange } = firstCharge(bench);
      const location = (cob.location ?? cob.loc?.location ?? "").replace(/^https?:\/\//i, "");
      const isSame = named?.toLowerCase() === location.toLowerCase();
      bench.demand(isSame, `it names ${named}, and the charge ${location}`, exchange);
    },
  },
  {
    name: "cob_code_amount",
    needs: ["cob_code"],
    run: async (bench: Bench) => {
      const fields = parseFields(codeOf(bench) ?? "");
      const amount = typeof fields === "string" ? undefined : fields.get("54");
      const { order, exchange } = firstCharge(bench);
      const isSame = amount === undefined || Number(amount) === order.amount / 100;
      bench.demand(isSame, `it names ${amount}`, exchange);
    },
  },
  {
    name: "cob_repeat",
    needs: ["cob_create", "cob_read"],
    run: async (bench: Bench) => {
      const { order, cob } = firstCharge(bench);
      await demandRegistered(bench, order);
      const after = await readFirst(bench);
      const { criacao } = after.calendario ?? {};
      bench.demand(criacao === cob.calendario.criacao, "the charge was made anew");
    },
  },
  {
    name: "cob_read",
    needs: ["cob_create"],
    run: async (bench: Bench) => {
      const { order } = firstCharge(bench);
      const state = await readFirst(bench);
      const cob = Cob.safeParse(jsonOf(bench.last?.text ?? "")).data;
      const isSame = isSameTxid(state.txid, order.chargeId) && cob?.valor.original === order.amount;
      bench.demand(isSame, "its txid or amount is another");
      bench.demand(state.status === "ATIVA", `its status is ${state.status}`);
    },
  },
  {
    name: "cob_refused",
    needs: ["cob_create"],
    run: async (bench: Bench) => {
      const { cob } = firstCharge(bench);
      const txid = randomTxid();
      const body = {
        calendario: { expiracao: HOUR_MS / 1_000 },
        valor: { original: decimalReais(0) },
        chave: cob.chave,
      };
      demandRefused(bench, await bench.call({ method: "PUT", path: ["cob", txid], body }));
    },
  },
  {
    name: "cob_extend",
    needs: ["cob_time", "cob_read"],
    run: async (bench: Bench) => {
      const { order } = firstCharge(bench);
      const until = order.expiresAt + HOUR_MS;
      const outcome = await bench.provider.extendCharge(order.chargeId, until);
      bench.demand(outcome.kind === "extended", `the gateway reads ${outcome.kind}`);
    },
  },
  {
    name: "cob_cancel",
    needs: ["cob_read"],
    run: async (bench: Bench) => {
      const order = orderOf(bench);
      await bench.provider.createCharge(order);
      const outcome = await bench.provider.cancelCharge(order.chargeId);
      bench.demand(outcome.kind === "cancelled", `the gateway reads ${outcome.kind}`);
      const { body } = await bench.call({ path: ["cob", order.chargeId] });
      const status = CobState.safeParse(body).data?.status;
      bench.demand(status === "REMOVIDA_PELO_USUARIO_RECEBEDOR", `its status is then ${status}`);
    },
  },
];
