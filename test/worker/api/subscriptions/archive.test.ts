import { expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  liveUntil,
  openShop,
} from "../../../support/builders/charges/subscriptions.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { eventually } from "../../../support/probes/until.ts";

const bucket = env.ARCHIVE!;

/** The ids of the charges in the archive's files of a company. */
async function archivedCharges(companyId: number): Promise<string[]> {
  const { objects } = await bucket.list({ prefix: `changes/${companyId}/` });
  const files = await Promise.all(objects.map(({ key }) => bucket.get(key)));
  const changes = await Promise.all(
    files.map((file) => file!.json<{ charges: { id: string }[] }>()),
  );
  return changes.flatMap(({ charges }) => charges.map(({ id }) => id));
}

it("the charge of a debit is archived as it is made: a restore of D1 has it", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);

  await eventually(async () => (await archivedCharges(shop.company.id)).includes(transactionId));

  expect(await archivedCharges(shop.company.id)).toContain(transactionId);
});
