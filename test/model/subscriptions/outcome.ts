import { inAccount } from "../../support/builders/companies/company.ts";
import { eventsOf } from "../../support/probes/webhooks/webhook-rows.ts";
import { netInLedger } from "../agreement/agreement.ts";
import type { SubscriptionsLife } from "./life.ts";

/** What has become of each subscription: here, at the PSP, in the ledger, and in what its merchant was told. */
export async function outcomesOf(life: SubscriptionsLife): Promise<Map<string, object>> {
  const [books, net, events] = await Promise.all([
    booksOf(life),
    netInLedger(life),
    eventsOf(life.world.company),
  ]);
  // What ends late may end after the next cycle.
  const toldOf = (ids: string[]) =>
    events
      .filter(({ objectId }) => ids.some((id) => objectId.endsWith(id)))
      .map(({ type }) => type)
      .toSorted();
  return new Map(
    books.map(({ id, cycles, ...rest }) => [
      id,
      {
        ...rest,
        cycles: cycles.map(({ transactionId, ...cycle }) => ({
          ...cycle,
          booked: net.get(transactionId) ?? 0,
        })),
        told: toldOf([id, ...cycles.map(({ transactionId }) => transactionId)]),
        ...atPsp(life, id),
      },
    ]),
  );
}

function atPsp({ psp }: SubscriptionsLife, id: string) {
  const contract = id.replaceAll("-", "");
  const mandates = [...psp.mandates.mandates.values()].filter(
    ({ body }) => body.vinculo.contrato === contract,
  );
  const ids = new Set(mandates.map(({ idRec }) => idRec));
  const debits = [...psp.debits.debits.values()].filter(({ body }) => ids.has(body.idRec));
  return {
    mandates: mandates.map(({ status }) => status),
    debits: debits.map(({ body, status, attempts }) => ({
      due: body.calendario.dataDeVencimento,
      status,
      attempts: attempts.map((each) => [each.dataLiquidacao, each.tipo, each.status]),
    })),
  };
}

interface Row {
  [column: string]: string | number;
}

function booksOf({ world }: SubscriptionsLife) {
  return inAccount(world.company.id, (_, { storage: { sql } }) => {
    const cycles = sql
      .exec<Row>("SELECT * FROM subscription_cycles ORDER BY subscription_id, cycle")
      .toArray();
    return sql
      .exec<Row>("SELECT id, status, mandate FROM subscriptions")
      .toArray()
      .map(({ id, status, mandate }) => ({
        id: String(id),
        status,
        mandate: JSON.parse(String(mandate)).status as string,
        cycles: cycles
          .filter(({ subscription_id: of }) => of === id)
          .map(({ cycle, status: is, attempts, transaction_id: transactionId }) => ({
            cycle,
            status: is,
            transactionId: String(transactionId),
            attempts: JSON.parse(String(attempts)).map((each: Row) => [
              each["day"],
              each["kind"],
              each["status"],
            ]),
          })),
      }));
  });
}
