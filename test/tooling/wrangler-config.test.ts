import { expect, it } from "vitest";
import { boundDatabases, publicUrl } from "../../scripts/lib/wrangler-config.ts";

const CONFIG = `
[[d1_databases]] # here
binding = "DB"
database_name = "centavo"

[[env.sandbox.d1_databases]]
database_name = "first"
binding = "DB"

[env.sandbox.vars]
PUBLIC_URL = "https://pay.example.com"

[[env.sandbox.d1_databases]]
binding = "DB_2"

[[env.sandbox.queues.producers]]
binding = "WEBHOOKS"
`;

it("migrations are for each database that an environment binds, and no other's", () => {
  expect(boundDatabases(null, CONFIG)).toEqual(["DB"]);
  expect(boundDatabases("sandbox", CONFIG)).toEqual(["DB", "DB_2"]);
  expect(boundDatabases("production", CONFIG)).toEqual([]);
  for (const environment of [null, "sandbox", "production"]) {
    expect(boundDatabases(environment)).toEqual(["DB"]);
  }
});

it("an environment is reached where its PUBLIC_URL says", () => {
  expect(publicUrl("sandbox", CONFIG)).toBe("https://pay.example.com");
  expect(publicUrl("production", CONFIG)).toBeNull();
});
