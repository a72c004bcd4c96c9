import { describe, expect, test } from "vitest";
import { DRAIN_BATCH, drainOutbox } from "../../../../src/company/outbox/drain.ts";
import { FakeOutbox } from "../../../support/fakes/fake-outbox.ts";

const SECOND = 1_000;
/** What one run pays at most: 50 batches. */
const RUN_MAX = 50 * DRAIN_BATCH;

describe("a drain that nothing disturbs", () => {
  test("asks nothing of the world where nothing is owed", async () => {
    const outbox = new FakeOutbox(0);
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.steps).toEqual([]);
  });

  test("pays every debt once, in commit order", async () => {
    const outbox = new FakeOutbox(45);
    const owed = outbox.ids;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.applied.flat()).toEqual(owed);
    expect(outbox.ids).toEqual([]);
  });

  test("puts no more than a batch into one write", async () => {
    const outbox = new FakeOutbox(45);
    await drainOutbox(outbox);
    expect(outbox.applied.map((batch) => batch.length)).toEqual([20, 20, 5]);
  });

  test("tells the queue after D1 has it, and settles the debt only after both", async () => {
    const outbox = new FakeOutbox(1);
    await drainOutbox(outbox);
    expect(outbox.steps).toEqual(["apply", "hint", "settle"]);
    expect(outbox.hinted).toEqual([["delivery-1"]]);
  });

  test("sends no hint where nothing is to be delivered", async () => {
    const outbox = new FakeOutbox(3);
    outbox.announces = () => false;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.steps).toEqual(["apply", "settle"]);
  });

  test("hints only the deliveries there are", async () => {
    const outbox = new FakeOutbox(3);
    outbox.announces = (id) => id !== 2;
    await drainOutbox(outbox);
    expect(outbox.hinted).toEqual([["delivery-1", "delivery-3"]]);
  });
});

describe("a write that fails", () => {
  test("keeps the debt and everything after it", async () => {
    const outbox = new FakeOutbox(45);
    outbox.databaseFault = new Error("D1 is away");
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toHaveLength(45);
    expect(outbox.steps).toEqual(["apply", "postpone"]);
  });

  test("leaves alone what was paid before it", async () => {
    const outbox = new FakeOutbox(45);
    const apply = outbox.apply.bind(outbox);
    outbox.apply = async (entries) => {
      if (outbox.applied.length === 1) outbox.databaseFault = new Error("D1 went away");
      return apply(entries);
    };
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toEqual(Array.from({ length: 25 }, (_, index) => index + 21));
  });

  test("is told, with the debts it concerns", async () => {
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

  test("is tried again at waits that double up to a minute, however long D1 is away", async () => {
    const outbox = new FakeOutbox(1);
    outbox.databaseFault = new Error("D1 is away");
    const waits: number[] = [];
    for (let run = 0; run < 9; run++) {
      await drainOutbox(outbox);
      waits.push((outbox.dueAt - outbox.nowMs) / SECOND);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test("is tried again soon where it is the first after one that succeeded", async () => {
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

  test("is made good by the next drain, in the same order", async () => {
    const outbox = new FakeOutbox(45);
    const owed = outbox.ids;
    outbox.databaseFault = new Error("D1 is away");
    await drainOutbox(outbox);
    outbox.databaseFault = undefined;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.applied.flat()).toEqual(owed);
  });
});

describe("a hint that fails", () => {
  test("keeps the debt though D1 has it", async () => {
    const outbox = new FakeOutbox(2);
    outbox.queueFault = new Error("the queue is away");
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toEqual([1, 2]);
    expect(outbox.steps).toEqual(["apply", "hint", "postpone"]);
  });

  test("is sent by the next drain, which writes the same again", async () => {
    const outbox = new FakeOutbox(2);
    outbox.queueFault = new Error("the queue is away");
    await drainOutbox(outbox);
    outbox.queueFault = undefined;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.applied).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(outbox.hinted).toEqual([["delivery-1", "delivery-2"]]);
    expect(outbox.ids).toEqual([]);
  });
});

describe("an entry that D1 refuses", () => {
  test("is set aside, and those of other objects are paid in their order", async () => {
    const outbox = new FakeOutbox(25);
    outbox.refuses = (id) => id === 3;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.setAsideIds).toEqual([3]);
    expect(outbox.applied.flat()).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1).filter((id) => id !== 3),
    );
    expect(outbox.failures).toEqual([]);
  });

  test("takes those of the same object with it, in the same batch and in later ones", async () => {
    const outbox = new FakeOutbox(45);
    const [, second] = outbox.entries;
    outbox.entries[7] = { sequence: 8, entry: second!.entry };
    outbox.entries[40] = { sequence: 41, entry: second!.entry };
    outbox.refuses = (id) => id === 2;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.setAsideIds).toEqual([2, 8, 41]);
    expect(outbox.applied.flat()).not.toContain(8);
  });

  test("is refused once where it is alone in its batch", async () => {
    const outbox = new FakeOutbox(1);
    outbox.refuses = () => true;
    expect(await drainOutbox(outbox)).toBe("empty");
    expect(outbox.steps).toEqual(["apply", "setAside"]);
  });

  test("is looked for no more once D1 falls silent", async () => {
    const outbox = new FakeOutbox(3);
    outbox.refuses = (id) => id === 3;
    const apply = outbox.apply.bind(outbox);
    outbox.apply = async (entries) => {
      if (outbox.applied.length === 1) outbox.databaseFault = new Error("D1 went away");
      return apply(entries);
    };
    expect(await drainOutbox(outbox)).toBe("failed");
    expect(outbox.ids).toEqual([2, 3]);
    expect(outbox.setAsideIds).toEqual([]);
  });
});

describe("one run is bounded", () => {
  test("a thousand entries are paid and the rest is left for the next", async () => {
    const outbox = new FakeOutbox(RUN_MAX + 1);
    expect(await drainOutbox(outbox)).toBe("more");
    expect(outbox.ids).toEqual([RUN_MAX + 1]);
    expect(await drainOutbox(outbox)).toBe("empty");
  });

  test("an outbox that is filled as fast as it is emptied does not hold its caller", async () => {
    const outbox = new FakeOutbox(1);
    const [endless] = outbox.entries;
    outbox.settle = () => undefined;
    expect(await drainOutbox(outbox)).toBe("more");
    expect(outbox.entries).toEqual([endless]);
    expect(outbox.applied).toHaveLength(RUN_MAX / DRAIN_BATCH);
  });
});
