import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { named } from "../../../../src/company/storage/named-sql.ts";
import { Table } from "../../../../src/company/storage/table.ts";
import { env } from "../../../support/builders/companies/env.ts";

type Sum = { name: string; paid: number; refunded: number };

const SUMS = new Table<Sum, Sum & { seen: number }>("sums");

/** An object of no company. */
const COMPANY_ID = 2 ** 41;
const inObject = <Answer>(run: (sql: SqlStorage) => Answer) =>
  runInDurableObject(companyStub(env, COMPANY_ID), (_, { storage }) => run(storage.sql));
const rows = () => inObject((sql) => sql.exec<Sum>("SELECT * FROM sums ORDER BY name").toArray());

beforeEach(() =>
  inObject((sql) =>
    sql.exec(
      `DROP TABLE IF EXISTS sums;
       CREATE TABLE sums (name TEXT PRIMARY KEY, paid INTEGER NOT NULL, refunded INTEGER NOT NULL,
         seen INTEGER NOT NULL DEFAULT 0) STRICT`,
    ),
  ),
);

describe("a statement with names", () => {
  test("gets each value by its name, whatever the order", async () => {
    const [row] = await inObject((sql) =>
      named("SELECT :paid AS paid, :refunded AS refunded")
        .exec<{ paid: number; refunded: number }>(sql, { refunded: 1, paid: 2 })
        .toArray(),
    );
    expect(row).toEqual({ paid: 2, refunded: 1 });
  });

  test("gets the value of a name at each of its places", async () => {
    const [row] = await inObject((sql) =>
      named("SELECT :one AS a, :two AS b, :one AS c, (:two,:one) = (2,1) AS d")
        .exec(sql, { two: 2, one: 1 })
        .toArray(),
    );
    expect(row).toEqual({ a: 1, b: 2, c: 1, d: 1 });
  });

  test("is not compiled with another name, a name too few or too many, and does not run", async () => {
    await inObject((sql) => {
      const sum = named("SELECT :paid - :refunded AS left");
      // @ts-expect-error -- misspelt
      expect(() => sum.exec(sql, { payed: 2, refunded: 1 })).toThrow("not the names");
      // @ts-expect-error -- one is missing
      expect(() => sum.exec(sql, { paid: 2 })).toThrow("not the names");
      // @ts-expect-error -- nothing takes `fee`
      expect(() => sum.exec(sql, { paid: 2, refunded: 1, fee: 1 })).toThrow("not the names");
    });
  });

  test("has its names checked beside parts that are known only when it runs", async () => {
    await inObject((sql) => {
      const table: string = "sums";
      const text = named(`UPDATE ${table} SET paid = :paid WHERE ${table}.name IN (:name)`);
      text.exec(sql, { paid: 2, name: "a" });
      // @ts-expect-error -- misspelt
      expect(() => text.exec(sql, { payed: 2, name: "a" })).toThrow("not the names");
    });
  });

  test("of a text that is known only when it runs is checked then", async () => {
    const text: string = "SELECT :paid AS paid";
    await inObject((sql) => {
      expect(named(text).exec(sql, { paid: 2 }).one()).toEqual({ paid: 2 });
      expect(() => named(text).exec(sql, { payed: 2 })).toThrow("not the names");
    });
  });
});

describe("a table", () => {
  test("gets each value in its column, whatever the order", async () => {
    await inObject((sql) => {
      SUMS.insert(sql, { name: "a", paid: 2, refunded: 1 });
      SUMS.insert(sql, { refunded: 3, paid: 4, name: "b" });
      SUMS.insert(sql, { name: "c", paid: 6, refunded: 5 });
    });
    expect(await rows()).toEqual([
      { name: "a", paid: 2, refunded: 1, seen: 0 },
      { name: "b", paid: 4, refunded: 3, seen: 0 },
      { name: "c", paid: 6, refunded: 5, seen: 0 },
    ]);
  });

  test("replaces the row with the same key", async () => {
    await inObject((sql) => {
      SUMS.insert(sql, { name: "a", paid: 2, refunded: 1 });
      SUMS.replace(sql, { name: "a", paid: 4, refunded: 3 });
    });
    expect(await rows()).toEqual([{ name: "a", paid: 4, refunded: 3, seen: 0 }]);
  });

  test("takes what follows the values of an insert", async () => {
    const add = "ON CONFLICT (name) DO UPDATE SET paid = paid + excluded.paid RETURNING paid";
    const paid = await inObject((sql) => {
      SUMS.insert(sql, { name: "a", paid: 2, refunded: 0 });
      return SUMS.insert<{ paid: number }>(sql, { name: "a", paid: 3, refunded: 0 }, add).one();
    });
    expect(paid).toEqual({ paid: 5 });
  });

  test("updates only named columns of the rows that have every value", async () => {
    await inObject((sql) => {
      SUMS.insert(sql, { name: "a", paid: 2, refunded: 1 });
      SUMS.insert(sql, { name: "b", paid: 2, refunded: 2 });
      SUMS.update(sql, { seen: 7, refunded: 0 }, { paid: 2, name: "a" });
    });
    expect(await rows()).toEqual([
      { name: "a", paid: 2, refunded: 0, seen: 7 },
      { name: "b", paid: 2, refunded: 2, seen: 0 },
    ]);
  });

  test("does not compile with another column, or one too few or too many, and does not write", async () => {
    await inObject((sql) => {
      // @ts-expect-error -- misspelt
      expect(() => SUMS.insert(sql, { name: "a", payed: 2, refunded: 1 })).toThrow("SQLITE_ERROR");
      // @ts-expect-error -- one is missing
      expect(() => SUMS.replace(sql, { name: "a", paid: 2 })).toThrow("SQLITE_CONSTRAINT");
      const row = { name: "a", paid: 2, refunded: 1 };
      // @ts-expect-error -- there is no `fee`
      expect(() => SUMS.insert(sql, { ...row, fee: 1 })).toThrow("SQLITE_ERROR");
      // @ts-expect-error -- misspelt
      expect(() => SUMS.update(sql, { payed: 1 }, { name: "a" })).toThrow("SQLITE_ERROR");
      // @ts-expect-error -- misspelt
      expect(() => SUMS.update(sql, { paid: 1 }, { names: "a" })).toThrow("SQLITE_ERROR");
    });
    expect(await rows()).toEqual([]);
  });

  test("does not compile with two columns' values swapped, if their types differ", async () => {
    await inObject((sql) => {
      // @ts-expect-error -- `name` is a text, `paid` a number
      expect(() => SUMS.insert(sql, { name: 2, paid: "a", refunded: 1 })).toThrow(
        "SQLITE_CONSTRAINT",
      );
    });
  });

  test("never updates every row", async () => {
    await inObject((sql) => {
      SUMS.insert(sql, { name: "a", paid: 2, refunded: 1 });
      expect(() => SUMS.update(sql, { paid: 0 }, {})).toThrow("SQLITE_ERROR");
    });
    expect(await rows()).toEqual([{ name: "a", paid: 2, refunded: 1, seen: 0 }]);
  });
});
