import * as fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { LIST_NAMES } from "../../../../src/domain/reconciliation/reconciliation.ts";
import { parseEntries } from "../../../../src/providers/pix-api/lists.ts";

const TXID = "01a203bf9bed8536aa8c5c4a76000007";
const KEY = "loja@example.com";
const GOOD = {
  payments: { endToEndId: "E1", txid: TXID, valor: "1.00", horario: "2026-11-21T12:00:00Z" },
  charges: { txid: TXID, status: "ATIVA", calendario: { criacao: "2026-11-21T12:00:00Z" } },
  due_charges: { txid: TXID, status: "ATIVA", calendario: { criacao: "2026-11-21T12:00:00Z" } },
  payouts: { idEnvio: TXID, endToEndId: "E2", valor: "1.00", status: "REALIZADO" },
};
const MEMBERS = ["endToEndId", "txid", "idEnvio", "chave", "valor", "horario", "status", "pix"];

/** Any JSON value, and almost valid records. */
const entry = fc.oneof(
  fc.jsonValue(),
  fc
    .record({
      list: fc.constantFrom(...LIST_NAMES),
      changed: fc.dictionary(
        fc.constantFrom(...MEMBERS, "calendario", "devolucoes"),
        fc.jsonValue(),
      ),
    })
    .map(({ list, changed }): unknown => Object.assign({}, GOOD[list], changed)),
);

beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

it.each(LIST_NAMES)("skips %s, reads all parseable records and invents none", (name) => {
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 5 }),
      fc.array(entry, { maxLength: 5 }),
      (before, after) => {
        const bounds = { since: 0, nowMs: Date.parse("2026-11-21T13:00:00Z") };
        const about = { pixKey: KEY, bounds };
        const read = (entries: unknown[]) => parseEntries(name, { entries, tooLong: 0 }, about);

        const good = read([GOOD[name]]);
        const all = read([...before, GOOD[name], ...after]);

        expect(good).toMatchObject({ records: [{}], unreadable: [] });
        expect(all.records).toEqual([
          ...read(before).records,
          ...good.records,
          ...read(after).records,
        ]);
        for (const { body, fault } of all.unreadable) {
          expect(body.length).toBeLessThanOrEqual(4_096);
          expect(fault).not.toBe("");
        }
        for (const record of all.records) {
          const amounts =
            record.kind === "payout"
              ? [record.amount]
              : (record.kind === "payment" ? [record.payment] : record.charge.payments).map(
                  ({ amount }) => amount,
                );
          expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount > 0)).toBe(true);
        }
      },
    ),
  );
});
