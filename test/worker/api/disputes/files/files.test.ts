import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import {
  EVIDENCE_FILE_MAX_BYTES,
  EVIDENCE_FILES_MAX,
} from "../../../../../src/domain/disputes/evidence-file.ts";
import { givenApplication } from "../../../../support/builders/companies/application.ts";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { env } from "../../../../support/builders/companies/env.ts";
import { disputePath, givenDisputed } from "../../../../support/builders/operations/dispute.ts";
import { resolveDispute } from "../../../../support/builders/operations/refund.ts";
import { call, type Call } from "../../../../support/builders/requests/api.ts";
import { fetchFromApp } from "../../../../support/builders/requests/app.ts";
import { CRASH, withAccounts } from "../../../../support/faults/faulty-env.ts";
import { operatorEventsOf } from "../../../../support/probes/contradictions/contradictions.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { anyTime } from "../../../../support/probes/http/matchers.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const jpeg = (byte: number) => new Uint8Array([0xff, 0xd8, 0xff, 0xe0, byte]);
const pdf = (size: number) => {
  const content = new Uint8Array(size);
  content.set(new TextEncoder().encode("%PDF-1.7\n"));
  return content;
};

const filesPath = (id: string) => `${disputePath(id)}/evidence/files`;

const send = (
  company: TestCompany,
  id: string,
  content: Uint8Array<ArrayBuffer>,
  { name = "nota.png", ...options }: Call & { name?: string } = {},
) =>
  call(`${filesPath(id)}?name=${encodeURIComponent(name)}`, {
    ...options,
    method: "POST",
    company,
    rawBody: content,
  });

const filesOf = async (company: TestCompany, id: string) =>
  (await call(disputePath(id), { company })).body.data.evidence?.files ?? [];

const keptOf = async ({ id }: TestCompany) =>
  (await env.ARCHIVE!.list({ prefix: `evidence/${id}/` })).objects.length;

async function download(company: TestCompany, path: string) {
  const request = new Request(`https://localhost${path}`, { headers: company.credentials });
  const response = await fetchFromApp(request);
  return { response, content: new Uint8Array(await response.arrayBuffer()) };
}

it("a file is kept by its content, shown, audited, told to operators, and downloaded as it was sent", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  const name = "C:\\fotos\\Maria á.exe";
  const added = await send(company, id, PNG, { name });
  expect(added.status).toBe(200);
  await expectDocumented("POST /api/v1/disputes/{id}/evidence/files", added);
  const [file] = added.body.data.evidence.files;
  expect(file).toStrictEqual({
    id: expect.any(String),
    name: "Maria á.exe.png",
    type: "image/png",
    bytes: PNG.length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    addedAt: anyTime,
  });
  await waitUntilDrained(company);
  expect(await filesOf(company, id)).toEqual([file]);
  const { response, content } = await download(company, `${filesPath(id)}/${file.id}`);
  expect(content).toEqual(PNG);
  expect(response.headers.get("Content-Type")).toBe("image/png");
  expect(response.headers.get("Content-Disposition")).toBe(
    "attachment; filename*=UTF-8''Maria%20%C3%A1.exe.png",
  );
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  const { body: trail } = await call("/api/v1/audit", { company });
  expect(trail.items.at(-1)).toMatchObject({
    action: "dispute.evidence",
    target: `dispute:${id}`,
    after: { fields: ["files"] },
  });
  expect(JSON.stringify(trail)).not.toContain("Maria");
  expect(await operatorEventsOf(company)).toMatchObject([{ type: "dispute.evidence_submitted" }]);
});

it("the same content again changes nothing, and one of its two uploads is kept", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  const first = await send(company, id, PNG);
  const again = await send(company, id, PNG, { name: "other.png" });
  expect(again.body).toEqual(first.body);
  expect(await keptOf(company)).toBe(1);
  const [file] = await filesOf(company, id);
  expect((await download(company, `${filesPath(id)}/${file.id}`)).content).toEqual(PNG);
});

it("a file is removed with its bytes while the dispute is open, and stays once it has ended", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company);
  await send(company, id, PNG);
  await send(company, id, jpeg(1));
  const [first, second] = await filesOf(company, id);
  const remove = (fileId: string) =>
    call(`${filesPath(id)}/${fileId}`, { company, method: "DELETE" });
  const removed = await remove(first.id);
  await expectDocumented("DELETE /api/v1/disputes/{id}/evidence/files/{fileId}", removed);
  expect(removed.body.data.evidence.files).toEqual([second]);
  expect((await remove(first.id)).body).toEqual(removed.body);
  expect(await keptOf(company)).toBe(1);
  await resolveDispute(company, transactionId, "won");
  await expectProblem(await remove(second.id), { status: 409, code: "INVALID_STATE" });
  await expectProblem(await send(company, id, jpeg(2)), { status: 409, code: "INVALID_STATE" });
  expect(await keptOf(company)).toBe(1);
  expect((await download(company, `${filesPath(id)}/${second.id}`)).content).toEqual(jpeg(1));
});

it.each<[string, Uint8Array<ArrayBuffer>, string, number, string, string[]?]>([
  [
    "an HTML page",
    new Uint8Array(new TextEncoder().encode("<html>")),
    "a.pdf",
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  ["nothing", new Uint8Array(0), "a.pdf", 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["half a signature", PNG.slice(0, 5), "a.png", 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["a large file", pdf(EVIDENCE_FILE_MAX_BYTES + 1), "a.pdf", 413, "BODY_TOO_LARGE"],
  ["no name", PNG, "", 400, "VALIDATION_FAILED", ["name"]],
  ["a long name", PNG, "x".repeat(101), 400, "VALIDATION_FAILED", ["name"]],
])("%s is refused and nothing is kept", async (_what, content, name, status, code, fields) => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  await expectProblem(await send(company, id, content, { name }), {
    status,
    code,
    ...(fields === undefined ? {} : { fields }),
  });
  expect([await filesOf(company, id), await keptOf(company)]).toEqual([[], 0]);
});

it("EVIDENCE_TOO_LARGE: more files, or more bytes in all, than a dispute may have", async () => {
  const company = await givenCompany();
  const [many, large] = [await givenDisputed(company), await givenDisputed(company)];
  for (let byte = 0; byte < EVIDENCE_FILES_MAX; byte++) {
    expect((await send(company, many.id, jpeg(byte))).status).toBe(200);
  }
  await expectProblem(await send(company, many.id, PNG), {
    status: 422,
    code: "EVIDENCE_TOO_LARGE",
  });
  expect((await send(company, large.id, pdf(EVIDENCE_FILE_MAX_BYTES))).status).toBe(200);
  expect((await send(company, large.id, pdf(EVIDENCE_FILE_MAX_BYTES - 1))).status).toBe(200);
  await expectProblem(await send(company, large.id, PNG), {
    status: 422,
    code: "EVIDENCE_TOO_LARGE",
  });
  expect(await keptOf(company)).toBe(EVIDENCE_FILES_MAX + 2);
});

it("FILE_STORAGE_NOT_CONFIGURED: a service without a bucket refuses plainly, and takes words", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  const { ARCHIVE: _bucket, ...unbound } = env;
  await expectProblem(await send(company, id, PNG, { env: unbound }), {
    status: 422,
    code: "FILE_STORAGE_NOT_CONFIGURED",
  });
  const words = await call(`${disputePath(id)}/evidence`, {
    company,
    env: unbound,
    body: { text: "The customer got the goods." },
  });
  expect(words.status).toBe(200);
});

it("a bucket that does not take a file leaves the evidence as it was", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  const broken: R2Bucket = Object.assign(Object.create(env.ARCHIVE!), {
    put: () => Promise.reject(new Error("the bucket is down")),
  });
  await expectProblem(await send(company, id, PNG, { env: { ...env, ARCHIVE: broken } }), {
    status: 503,
    code: "STORAGE_UNAVAILABLE",
  });
  expect(await filesOf(company, id)).toEqual([]);
});

it("a file whose answer is lost is there with its bytes, and sent again it is one", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  const lostReply = withAccounts(env, async (label, run) => {
    const answer = await run();
    if (label === "submitEvidence") throw new Error(CRASH);
    return answer;
  });
  await expectProblem(await send(company, id, PNG, { env: lostReply }), {
    status: 500,
    code: "INTERNAL_ERROR",
  });
  const again = await send(company, id, PNG);
  const [file, ...others] = again.body.data.evidence.files;
  expect(others).toEqual([]);
  await waitUntilDrained(company);
  expect((await download(company, `${filesPath(id)}/${file.id}`)).content).toEqual(PNG);
});

it("another dispute and another company reach no file, and without pii:read neither name nor bytes", async () => {
  const [company, other] = [await givenCompany(), await givenCompany()];
  const [mine, second] = [await givenDisputed(company), await givenDisputed(company)];
  await givenDisputed(other);
  await send(company, mine.id, PNG, { name: "Maria.png" });
  await waitUntilDrained(company);
  const [file] = await filesOf(company, mine.id);
  for (const [caller, id] of [
    [company, second.id],
    [other, mine.id],
  ] as const) {
    expect((await download(caller, `${filesPath(id)}/${file.id}`)).response.status).toBe(404);
  }
  await call(`${filesPath(second.id)}/${file.id}`, { company, method: "DELETE" });
  expect(await keptOf(company)).toBe(1);
  const blind = await givenApplication(company, { scopes: ["transactions:read"] });
  const shown = await call(disputePath(mine.id), { company: blind });
  expect(shown.text).not.toContain("Maria");
  await expectProblem(await call(`${filesPath(mine.id)}/${file.id}`, { company: blind }), {
    status: 403,
    code: "FORBIDDEN",
  });
});

it("the dossier names each file with its hash, and its PDF carries the bytes", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  await send(company, id, PNG, { name: "Maria.png" });
  await waitUntilDrained(company);
  const [file] = await filesOf(company, id);
  const json = await call(`${disputePath(id)}/dossier`, { company });
  expect(json.body.evidence.files).toEqual([file]);
  const request = new Request(`https://localhost${disputePath(id)}/dossier`, {
    headers: { ...company.credentials, Accept: "application/pdf" },
  });
  const document = await PDFDocument.load(await (await fetchFromApp(request)).arrayBuffer());
  const attached = document.getAttachments();
  expect(attached.map(({ name }) => name).toSorted()).toEqual(["1-Maria.png", "dossie.json"]);
  expect(attached.find(({ name }) => name === "1-Maria.png")?.data).toEqual(PNG);
});
