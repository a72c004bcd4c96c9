import { listCompanyProviders } from "../../../../api/settings/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { textsOf, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { page } from "../../ui/layout.tsx";
import { AccountName } from "../../ui/account-name.tsx";
import { List, Section } from "../../ui/parts.tsx";
import { refusalPage } from "../answers.tsx";

export const PROVIDERS_PATH = "/console/providers";

type Provider = RouteBody<typeof listCompanyProviders>["items"][number];
type CallbackUrl = RouteBody<typeof listCompanyProviders>["callbackUrls"][number];

/** The company's accounts at banks: when their access ends, and what to do before it does. */
export function providersScreen(app: ConsoleApp): void {
  app.get("/providers", requireMember, requirePermission("balance:read"), (c) => showProviders(c));
}

async function showProviders(c: ConsoleContext) {
  const labels = textsOf(c).providers;
  const head = { title: labels.title, active: "/console/settings" };
  const answer = await callRoute(c, listCompanyProviders);
  if (!answer.ok) return refusalPage(c, head, answer);
  return page(
    c,
    head,
    <>
      <p>{labels.about}</p>
      <ProviderList providers={answer.body.items} />
      <CallbackUrls urls={answer.body.callbackUrls} />
    </>,
  );
}

/** The URLs that a person types into a provider's dashboard, each with a button that copies it. */
function CallbackUrls({ urls }: { urls: CallbackUrl[] }) {
  const { providers: labels, shell } = useTexts();
  if (urls.length === 0) return null;
  return (
    <Section title={labels.callbackUrls.title}>
      <p>{labels.callbackUrls.about}</p>
      {urls.map(({ account, provider, url }) => (
        <p>
          <AccountName of={{ account, provider }} isOneOf={urls.map((each) => each.account)} />:{" "}
          <code>{url}</code>{" "}
          <button type="button" data-copy={url} data-copied={shell.copied}>
            {labels.callbackUrls.copy}
          </button>
        </p>
      ))}
    </Section>
  );
}

function ProviderList({ providers }: { providers: Provider[] }) {
  const { dateTime } = useLocale();
  const labels = useTexts().providers;
  return (
    <List
      caption={labels.title}
      rows={providers}
      empty={<Empty icon="settings">{labels.none}</Empty>}
      columns={[
        {
          heading: labels.account,
          cell: (each) => (
            <AccountName of={each} isOneOf={providers.map(({ account }) => account)} />
          ),
        },
        { heading: labels.host, cell: ({ host }) => host },
        {
          heading: labels.certificate,
          cell: ({ certificateExpiresAt: at }) => (at === null ? labels.unknown : dateTime(at)),
        },
        {
          heading: labels.credentials,
          cell: ({ credentialsExpireAt: at }) => (at === null ? labels.unknown : dateTime(at)),
        },
        {
          heading: labels.failing,
          cell: ({ failingSince: at }) => (at === null ? labels.answers : dateTime(at)),
        },
      ]}
    />
  );
}
