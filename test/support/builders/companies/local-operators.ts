import { LOCAL_OPERATORS, operatorSql } from "../../../../tools/lib/local-operators.ts";

/** Before each time at which a test proposes something: who is younger than a proposal approves none. */
const ADDED_AT = Date.parse("2020-01-01T12:00:00Z");

/** Adds the two local operators to a database with its migrations. */
export async function addLocalOperators(database: D1Database): Promise<void> {
  for (const operator of LOCAL_OPERATORS) {
    const sql = await operatorSql(operator, ADDED_AT);
    for (const statement of sql.split(";\n").filter((part) => part.trim() !== "")) {
      await database.prepare(statement).run();
    }
  }
}
