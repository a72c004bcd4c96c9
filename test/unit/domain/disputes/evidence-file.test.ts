import { expect, it } from "vitest";
import {
  areTooManyFiles,
  EVIDENCE_FILES_MAX_BYTES,
  evidenceFileKey,
  evidenceFileName,
  nameOfType,
  type EvidenceFile,
} from "../../../../src/domain/disputes/evidence-file.ts";
import { mergeEvidence } from "../../../../src/domain/disputes/evidence.ts";

const file = (id: string, more: Partial<EvidenceFile> = {}): EvidenceFile => ({
  id,
  name: "nota.pdf",
  type: "application/pdf",
  bytes: 10,
  sha256: id,
  addedAt: 1,
  ...more,
});

it.each([
  ["nota.pdf", "nota.pdf"],
  ["C:\\fotos\\nota.pdf", "nota.pdf"],
  ["../../etc/nota.pdf ", "nota.pdf"],
  ["nota\u202efdp.exe\r\n", "nota fdp.exe"],
  ["fotos/", ""],
  ["\u200b", ""],
])("the name of %j has no folders, and what no line shows is left out", (sent, name) => {
  expect(evidenceFileName(sent)).toBe(name);
});

it.each([
  ["Nota.PDF", "application/pdf", "Nota.PDF"],
  ["nota.html", "application/pdf", "nota.html.pdf"],
  ["foto.jpeg", "image/jpeg", "foto.jpeg"],
  ["foto", "image/jpeg", "foto.jpg"],
  ["foto.jpg", "image/png", "foto.jpg.png"],
] as const)("the name %s of a file of type %s ends as that does", (name, type, ending) => {
  expect(nameOfType(name, type)).toBe(ending);
});

it("a dispute's id with slashes reaches no other dispute's files", () => {
  const place = { companyId: 1, disputeId: "D/x", fileId: "f" };
  expect(evidenceFileKey(place)).toBe("evidence/1/D%2Fx/f");
});

it("a file is added once by its content, and taken out by its id, while words stay", () => {
  const words = mergeEvidence(null, { text: "It was delivered." }, 1);
  expect(words).not.toHaveProperty("files");
  const one = mergeEvidence(words, { addedFile: file("a") }, 2);
  const two = mergeEvidence(one, { addedFile: file("b") }, 3);
  const same = mergeEvidence(two, { addedFile: file("c", { sha256: "a" }) }, 4);
  expect(same.files?.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(mergeEvidence(two, { removedFile: "a" }, 5)).toMatchObject({
    text: "It was delivered.",
    files: [{ id: "b" }],
  });
  expect(mergeEvidence(two, { text: "" }, 6).files).toHaveLength(2);
});

it("ten files fit, and as many bytes as all may have", () => {
  const files = Array.from({ length: 10 }, (_, index) => file(String(index)));
  expect(areTooManyFiles(files)).toBe(false);
  expect(areTooManyFiles([...files, file("k")])).toBe(true);
  expect(areTooManyFiles([file("a", { bytes: EVIDENCE_FILES_MAX_BYTES })])).toBe(false);
  expect(areTooManyFiles([file("a", { bytes: EVIDENCE_FILES_MAX_BYTES }), file("b")])).toBe(true);
});
