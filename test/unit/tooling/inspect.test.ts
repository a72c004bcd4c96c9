import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newPayoutId } from "../../../src/domain/shared/ids.ts";

let gateway: Server;
let requestedPaths: string[];

/** A gateway that has only withdraw 7 of company 1. */
beforeEach(async () => {
  requestedPaths = [];
  gateway = createServer((request, response) => {
    requestedPaths.push(request.url ?? "");
    const known = request.url?.endsWith("/1/inspect?withdrawId=7");
    response.statusCode = known ? 200 : 404;
    response.end(JSON.stringify({ companyId: 1, database: {}, object: {}, differences: [] }));
  });
  await once(gateway.listen(0, "127.0.0.1"), "listening");
});

afterEach(() => void gateway.close());

async function inspect(id: string): Promise<number | null> {
  const address = gateway.address();
  if (address === null || typeof address === "string") throw new Error("it has a port");
  const url = `http://127.0.0.1:${address.port}`;
  const child = spawn(process.execPath, ["tools/ops/inspect.ts", id, "--url", url]);
  const [code] = await once(child, "exit");
  return code as number | null;
}

it("inspect finds a withdraw by its payout id, also when its random half looks like a time", async () => {
  const random = { bytes: (length: number) => new Uint8Array(length) };
  const payout = newPayoutId(1, 7, random).replace(/^.{8}-.{4}/, "019a2033-d000");

  expect(await inspect(payout)).toBe(0);

  expect(requestedPaths).toEqual([
    `/api/v1/operator/companies/1/inspect?transactionId=${payout}`,
    "/api/v1/operator/companies/1/inspect?withdrawId=7",
  ]);
});

it("inspect exits with 2 for an id of neither a transaction nor a withdraw", async () => {
  expect(await inspect("1/8")).toBe(2);
  expect(requestedPaths).toEqual(["/api/v1/operator/companies/1/inspect?withdrawId=8"]);
});
