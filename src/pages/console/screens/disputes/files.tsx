import {
  EVIDENCE_FILE_MAX_BYTES,
  EVIDENCE_FILE_TYPES,
  EVIDENCE_FILES_MAX,
} from "../../../../domain/disputes/evidence-file.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { List, Section } from "../../ui/parts.tsx";
import { disputePath, type Dispute } from "./dispute.ts";

const KIBIBYTE = 1_024;

interface FilesProps {
  dispute: Dispute;
  /** Whether evidence is taken, and from this role. */
  isOpen: boolean;
  keepsFiles: boolean;
  isFileMissing: boolean;
  seesPersonalData: boolean;
}

type EvidenceFile = NonNullable<Dispute["evidence"]>["files"][number];

/** The files of the evidence, and the form that sends one more. */
export function EvidenceFiles(props: FilesProps) {
  const { dispute, isOpen, keepsFiles } = props;
  const { dateTime } = useLocale();
  const labels = useTexts().disputes.files;
  const files = dispute.evidence?.files ?? [];
  return (
    <Section title={labels.title}>
      <List
        caption={labels.title}
        rows={files}
        empty={<p>{labels.none}</p>}
        columns={[
          { heading: labels.name, cell: (file) => <FileLink file={file} {...props} /> },
          {
            heading: labels.size,
            isNumber: true,
            cell: ({ bytes }) => `${Math.ceil(bytes / KIBIBYTE)} KB`,
          },
          { heading: labels.at, cell: ({ addedAt }) => dateTime(addedAt) },
          {
            heading: labels.action,
            cell: (file) => (isOpen ? <RemoveForm file={file} {...props} /> : null),
          },
        ]}
      />
      {isOpen && !keepsFiles ? <p>{labels.notKept}</p> : null}
      {isOpen && keepsFiles && files.length < EVIDENCE_FILES_MAX ? <AddForm {...props} /> : null}
    </Section>
  );
}

function FileLink({ dispute, file, seesPersonalData }: FilesProps & { file: EvidenceFile }) {
  if (!seesPersonalData) return <>{file.name}</>;
  return <a href={`${disputePath(dispute.id)}/files/${file.id}`}>{file.name}</a>;
}

function RemoveForm({ dispute, file }: FilesProps & { file: EvidenceFile }) {
  const labels = useTexts().disputes.files;
  const path = `${disputePath(dispute.id)}/files/${file.id}/remove`;
  return (
    <form method="post" action={path} data-once="">
      <button type="submit" aria-label={fill(labels.removeOf, { name: file.name })}>
        {labels.remove}
      </button>
    </form>
  );
}

function AddForm({ dispute, isFileMissing }: FilesProps) {
  const labels = useTexts().disputes.files;
  const limits = {
    megabytes: EVIDENCE_FILE_MAX_BYTES / KIBIBYTE / KIBIBYTE,
    files: EVIDENCE_FILES_MAX,
  };
  const described = isFileMissing ? "file-hint file-error" : "file-hint";
  return (
    <form
      class="action"
      method="post"
      action={`${disputePath(dispute.id)}/files`}
      enctype="multipart/form-data"
      data-once=""
    >
      <div class="field">
        <label for="file">{labels.file}</label>
        <input
          id="file"
          name="file"
          type="file"
          accept={EVIDENCE_FILE_TYPES.join(",")}
          aria-describedby={described}
          required
          {...(isFileMissing ? { "aria-invalid": "true" as const, autofocus: true } : {})}
        />
        <p class="hint" id="file-hint">
          {fill(labels.hint, limits)}
        </p>
        {isFileMissing ? (
          <p class="error" id="file-error">
            {labels.missing}
          </p>
        ) : null}
      </div>
      <button type="submit">{labels.add}</button>
    </form>
  );
}
