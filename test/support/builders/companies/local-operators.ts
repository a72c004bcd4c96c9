import { LOCAL_OPERATORS, operatorSql } from "../../../../tools/lib/local-operators.ts";

/** Adds the two local operators to a database with its migrations. */
export async function addLocalOperators(database: D1Database): Promise<void> {
  for (const operator of LOCAL_OPERATORS) {
    const sql = await operatorSql(operator, Date.now());
    for (const statement of sql.split(";\n").filter((part) => part.trim() !== "")) {
      await database.prepare(statement).run();
    }
  }
}
