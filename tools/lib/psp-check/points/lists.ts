import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";
import { Page } from "../../../../src/providers/pix-api/wire.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import type { PixDueTerms } from "../../../../src/domain/charges/payment-details.ts";
import type { ListedRecord } from "../../../../src/providers/provider.ts";
import type { Bench } from "../bench.ts";
import type { Point } from "../point.ts";
import { demandRegistered, firstCharge, orderOf } from "./charges.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A test account that others use may have more; this is enough to find what was made just now. */
const PAGES_MAX = 5;

/** A payer who can be named in a due charge: BACEN's own example of a CPF. */
const DEBTOR = {
  externalId: null,
  name: "Francisco da Silva",
  email: "",
  phone: "",
  documentNumber: "12345678909",
  documentType: "CPF",
  address: {
    street: "Alameda Souza",
    streetNumber: "80",
    zipCode: "70011750",
    city: "Brasília",
    state: "DF",
  },
};

/** All records of a window by the adapter; demands that it understands each page. */
async function listed(bench: Bench, name: ListName, from: number, to: number) {
  const records: ListedRecord[] = [];
  for (let page = 0; page < PAGES_MAX; page++) {
    const read = await bench.provider.list(name, { from, to }, page);
    bench.demand(read.kind === "known", "the gateway reads unknown");
    records.push(...read.records);
    if (!read.hasMore) break;
  }
  return records;
}

/** Whether a list has the charge. */
function hasCharge(records: ListedRecord[], chargeId: string): boolean {
  return records.some((record) => record.kind === "charge" && record.chargeId === chargeId);
}

/** One page of the charges of the last minutes, as it came. */
async function pageOfOne(bench: Bench, page: number) {
  const { cob } = firstCharge(bench);
  const { status, body } = await bench.call({
    path: ["cob"],
    query: {
      inicio: new Date(cob.calendario.criacao - MINUTE_MS).toISOString(),
      fim: new Date(Date.now() + MINUTE_MS).toISOString(),
      "paginacao.paginaAtual": `${page}`,
      "paginacao.itensPorPagina": "1",
    },
  });
  const read = Page.safeParse(body);
  bench.demand(status === 200 && read.success, `page ${page} cannot be read`);
  const { cobs } = read.data;
  bench.demand(cobs?.length === 1, `page ${page} of one has ${cobs?.length ?? 0} entries`);
  return JSON.stringify(cobs[0]);
}

function dueTerms(): PixDueTerms {
  const dueDate = saoPauloDay(Date.now() + 7 * DAY_MS);
  return {
    dueDate,
    validityAfterDue: 10,
    fine: { type: "PERCENTAGE", value: 200 },
    interest: { value: 100 },
    discount: { type: "FIXED", value: 5, untilDate: dueDate },
  };
}

const withoutCobv = ({ api }: Bench["config"]) =>
  api.charge === "cobv" ? null : '`charge` is not "cobv"';

/** Lists of charges and payments, and charges with a due date. */
export const LIST_POINTS: Point[] = [
  {
    name: "cob_list",
    needs: ["cob_time"],
    run: async (bench: Bench) => {
      const { order, cob } = firstCharge(bench);
      const { criacao } = cob.calendario;
      const records = await listed(bench, "charges", criacao - MINUTE_MS, criacao + MINUTE_MS);
      bench.demand(hasCharge(records, order.chargeId), "it lacks the charge");
    },
  },
  {
    name: "cob_list_window",
    needs: ["cob_list"],
    run: async (bench: Bench) => {
      const { order, cob } = firstCharge(bench);
      const { criacao } = cob.calendario;
      const to = criacao - HOUR_MS;
      const records = await listed(bench, "charges", to - HOUR_MS, to);
      bench.demand(!hasCharge(records, order.chargeId), "it has a charge of an hour later");
    },
  },
  {
    name: "cob_list_pages",
    needs: ["cob_list"],
    run: async (bench: Bench) => {
      await bench.provider.createCharge(orderOf(bench));
      const first = await pageOfOne(bench, 0);
      const second = await pageOfOne(bench, 1);
      bench.demand(first !== second, "page 1 repeats page 0");
    },
  },
  {
    name: "cobv_create",
    needs: ["token"],
    leftOut: withoutCobv,
    run: async (bench: Bench) => {
      const order = orderOf(bench, { payer: DEBTOR, pix: { due: dueTerms() } });
      await demandRegistered(bench, order);
    },
  },
  {
    name: "cobv_list",
    needs: ["cobv_create"],
    leftOut: withoutCobv,
    run: async (bench: Bench) => {
      const due = bench.made.find(({ pix }) => pix?.due !== undefined);
      const [from, to] = [Date.now() - 5 * MINUTE_MS, Date.now() + MINUTE_MS];
      const records = await listed(bench, "due_charges", from, to);
      bench.demand(hasCharge(records, due?.chargeId ?? ""), "it lacks the due charge");
    },
  },
  {
    name: "pix_list",
    needs: ["token"],
    run: async (bench: Bench) => {
      await listed(bench, "payments", Date.now() - HOUR_MS, Date.now());
    },
  },
];
