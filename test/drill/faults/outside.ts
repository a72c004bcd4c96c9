import { until } from "../lib/until.ts";
import { toldBy, type Fault } from "./fault.ts";

interface Status {
  receivers: { companyId: number }[];
}

interface DeadLetters {
  items: { id: string; replayedAt: string | null }[];
}

const DELIVERY_WAITS_MS = 30_000;

/** The PSP takes requests and answers none; a merchant asks for charges meanwhile. */
export const pspSilent = (): Fault => ({
  name: "psp_silent",
  ...toldBy("psp_failing"),
  async inject({ shop }) {
    shop.bank.fallSilent();
    await shop.merchant.create(
      { amount: 1_000, paymentMethod: "PIX", customer: { name: "Maria" } },
      "silent",
    );
  },
  // The page has no command: "You need not do anything for it to go on."
  act: async ({ shop }) => shop.bank.speak(),
});

/** A merchant's webhook receiver cuts every connection. Its alarm's end is not told: the page says to look at the status. */
export const receiverDown = (): Fault => ({
  name: "receiver_down",
  ...toldBy("receiver_failing"),
  async inject({ shop }) {
    shop.closeReceiver();
    await shop.sell(1_100);
  },
  async act({ shop }) {
    shop.openReceiver();
    await shop.merchant.call("POST", "/api/v1/webhooks/test");
  },
  async isOver(stage) {
    const { receivers } = await stage.ask<Status>("status");
    return receivers.every(({ companyId }) => companyId !== stage.shop.companyId);
  },
});

/** A delivery's row is damaged in D1, so that its message fails each time. */
export const deadLetter = (): Fault => {
  let [row, log] = ["", ""];
  return {
    name: "dead_letter",
    ...toldBy("dead_letters"),
    async inject({ site, shop }) {
      shop.closeReceiver();
      const id = await shop.sell(1_200);
      row = `company_id = ${shop.companyId} AND next_attempt_at IS NOT NULL AND company_sequence IN
        (SELECT company_sequence FROM events WHERE object_id = '${id}')`;
      const waiting = () =>
        site.d1(`SELECT attempts_log AS log FROM deliveries WHERE attempts = 1 AND ${row}`);
      await until(async () => (await waiting()) !== undefined, DELIVERY_WAITS_MS);
      log = String((await waiting())?.["log"]);
      await site.d1(`UPDATE deliveries SET attempts_log = 'damaged' WHERE ${row}`);
      shop.openReceiver();
    },
    async act(stage) {
      await stage.site.d1(`UPDATE deliveries SET attempts_log = '${log}' WHERE ${row}`);
      const { items } = await stage.ask<DeadLetters>("deadLetters");
      for (const { id } of items) await stage.run("replay", { letter: id });
    },
  };
};
