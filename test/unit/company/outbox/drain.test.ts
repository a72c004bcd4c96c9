import { describe, expect, test } from "vitest";
import { DRAIN_BATCH, drainOutbox } from "../../../../src/company/outbox/drain.ts";
import { FakeOutbox } from "../../../support/fakes/fake-outbox.ts";

const SECOND = 1_000;
/** The most calls of one run: 50 batches. */
const RUN_MAX = 50 * DRAIN_BATCH;

describe("a drain without faults", () => {
  test("makes no call when the outbox is empty", async () => {
    const outbox = new FakeOutbox(0);
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.steps).toEqual([]);
  });

  test("writes every entry once, in commit order", async () => {
    const outbox = new FakeOutbox(45);
    const pending = outbox.ids;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.applied.flat()).toEqual(pending);
    expect(outbox.ids).toEqual([]);
  });

  test("writes at most one batch at a time", async () => {
    const outbox = new FakeOutbox(45);
    await drainOutbox(outbox);
    expect(outbox.applied.map((batch) => batch.length)).toEqual([20, 20, 5]);
  });

  test("enqueues after the D1 write and removes entries only after both", async () => {
    const outbox = new FakeOutbox(1);
    await drainOutbox(outbox);
    expect(outbox.steps).toEqual(["write", "notify", "acknowledge"]);
    expect(outbox.notified).toEqual([["delivery-1"]]);
  });

  test("enqueues nothing without deliveries", async () => {
    const outbox = new FakeOutbox(3);
    outbox.announcesDelivery = () => false;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.steps).toEqual(["write", "acknowledge"]);
  });

  test("tells open pages once, after a wake-up that failed", async () => {
    const outbox = new FakeOutbox(2);
    outbox.queueFault = new Error("the queue is away");
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.told).toEqual([]);
    outbox.queueFault = undefined;
    await drainOutbox(outbox);
    expect(outbox.told).toEqual([[1, 2]]);
  });

  test("enqueues only the deliveries that exist", async () => {
    const outbox = new FakeOutbox(3);
    outbox.announcesDelivery = (id) => id !== 2;
    await drainOutbox(outbox);
    expect(outbox.notified).toEqual([["delivery-1", "delivery-3"]]);
  });
});

describe("a write that fails", () => {
  test("keeps its entries and all later ones", async () => {
    const outbox = new FakeOutbox(45);
    outbox.databaseFault = new Error("D1 is away");
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toHaveLength(45);
    expect(outbox.steps).toEqual(["write", "postpone"]);
  });

  test("does not affect entries that were written before", async () => {
    const outbox = new FakeOutbox(45);
    const apply = outbox.write.bind(outbox);
    outbox.write = async (entries) => {
      if (outbox.applied.length === 1) outbox.databaseFault = new Error("D1 went away");
      return apply(entries);
    };
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toEqual(Array.from({ length: 25 }, (_, index) => index + 21));
  });

  test("is reported with its entries", async () => {
    const outbox = new FakeOutbox(2);
    outbox.databaseFault = new Error("D1 is away");
    await drainOutbox(outbox);
    expect(outbox.failures).toEqual([{ error: outbox.databaseFault, ids: [1, 2] }]);
  });

  test("is tried again a second later", async () => {
    const outbox = new FakeOutbox(2);
    outbox.databaseFault = new Error("D1 is away");
    await drainOutbox(outbox);
    expect(outbox.dueAt).toBe(outbox.nowMs + SECOND);
  });

  test("is retried at waits that double up to a minute, for any length of outage", async () => {
    const outbox = new FakeOutbox(1);
    outbox.databaseFault = new Error("D1 is away");
    const waits: number[] = [];
    for (let run = 0; run < 9; run++) {
      await drainOutbox(outbox);
      waits.push((outbox.dueAt - outbox.nowMs) / SECOND);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test("is retried soon when it follows a success", async () => {
    const outbox = new FakeOutbox(1);
    outbox.databaseFault = new Error("D1 is away");
    for (let run = 0; run < 5; run++) await drainOutbox(outbox);
    outbox.databaseFault = undefined;
    await drainOutbox(outbox);
    outbox.entries = new FakeOutbox(1).entries;
    outbox.databaseFault = new Error("D1 is away again");
    await drainOutbox(outbox);
    expect(outbox.dueAt).toBe(outbox.nowMs + SECOND);
  });

  test("is repaired by the next drain in the same order", async () => {
    const outbox = new FakeOutbox(45);
    const pending = outbox.ids;
    outbox.databaseFault = new Error("D1 is away");
    await drainOutbox(outbox);
    outbox.databaseFault = undefined;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.applied.flat()).toEqual(pending);
  });
});

describe("an enqueue that fails", () => {
  test("keeps the entries although D1 has them", async () => {
    const outbox = new FakeOutbox(2);
    outbox.queueFault = new Error("the queue is away");
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toEqual([1, 2]);
    expect(outbox.steps).toEqual(["write", "notify", "postpone"]);
  });

  test("is repeated by the next drain, which writes the same again", async () => {
    const outbox = new FakeOutbox(2);
    outbox.queueFault = new Error("the queue is away");
    await drainOutbox(outbox);
    outbox.queueFault = undefined;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.applied).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(outbox.notified).toEqual([["delivery-1", "delivery-2"]]);
    expect(outbox.ids).toEqual([]);
  });
});

describe("an entry that D1 rejects", () => {
  test("is quarantined, and entries of other objects are written in order", async () => {
    const outbox = new FakeOutbox(25);
    outbox.refuses = (id) => id === 3;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.rejectedIds).toEqual([3]);
    expect(outbox.applied.flat()).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1).filter((id) => id !== 3),
    );
    expect(outbox.failures).toEqual([]);
  });

  test("quarantines entries of the same object too, in this batch and later ones", async () => {
    const outbox = new FakeOutbox(45);
    const [, second] = outbox.entries;
    outbox.entries[7] = { sequence: 8, entry: second!.entry };
    outbox.entries[40] = { sequence: 41, entry: second!.entry };
    outbox.refuses = (id) => id === 2;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.rejectedIds).toEqual([2, 8, 41]);
    expect(outbox.applied.flat()).not.toContain(8);
  });

  test("counts one rejection when it is alone in its batch", async () => {
    const outbox = new FakeOutbox(1);
    outbox.refuses = () => true;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.steps).toEqual(["write", "rejectEntry"]);
  });

  test("is no longer isolated once D1 stops responding", async () => {
    const outbox = new FakeOutbox(3);
    outbox.refuses = (id) => id === 3;
    const apply = outbox.write.bind(outbox);
    outbox.write = async (entries) => {
      if (outbox.applied.length === 1) outbox.databaseFault = new Error("D1 went away");
      return apply(entries);
    };
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toEqual([2, 3]);
    expect(outbox.rejectedIds).toEqual([]);
  });
});

describe("one run is bounded", () => {
  test("writes a thousand entries and leaves the rest for the next", async () => {
    const outbox = new FakeOutbox(RUN_MAX + 1);
    expect(await drainOutbox(outbox)).toBe("more");
    expect(outbox.ids).toEqual([RUN_MAX + 1]);
    expect(await drainOutbox(outbox)).toBe("empty");
  });

  test("does not block its caller when the outbox fills as fast as it drains", async () => {
    const outbox = new FakeOutbox(1);
    const [endless] = outbox.entries;
    outbox.acknowledge = () => undefined;
    expect(await drainOutbox(outbox)).toBe("more");
    expect(outbox.entries).toEqual([endless]);
    expect(outbox.applied).toHaveLength(RUN_MAX / DRAIN_BATCH);
  });
});
