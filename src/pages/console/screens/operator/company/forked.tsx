import type { forkCompany } from "../../../../../api/operator/fork/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";
import { useTexts } from "../../../texts.ts";
import { DoneNotice, Facts } from "../../../ui/parts.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { Secret } from "../companies/new.tsx";

/** A copy that was made, with its key, which is shown this once. */
export function Forked({ companyId, clientId, key }: RouteBody<typeof forkCompany>["data"]) {
  const labels = useTexts().operatorCompanies;
  return (
    <>
      <DoneNotice>
        <p>{key === null ? labels.forkedBefore : labels.forked}</p>
      </DoneNotice>
      <Facts
        of={[
          [labels.number, companyId],
          ["X-Client-Id", <code>{clientId}</code>],
          ["X-API-Key", key === null ? null : <Secret value={key} />],
        ]}
      />
      <p class="actions">
        <a class="button primary" href={`${COMPANIES_PATH}/${companyId}`}>
          {labels.health}
        </a>
      </p>
    </>
  );
}
