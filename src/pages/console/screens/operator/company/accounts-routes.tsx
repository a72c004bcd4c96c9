import {
  changeProviderAccount,
  connectProviderAccount,
  disconnectProviderAccount,
  listProviderAccounts,
} from "../../../../../api/operator/provider-accounts/routes.ts";
import { PSP_HEADERS } from "../../../../../domain/psp/psp-settings.ts";
import type { JsonOf, RouteRefusal } from "../../../../../http/openapi/route-types.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { asTyped } from "../../../form.ts";
import { fill, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { DoneNotice, ProblemNotice } from "../../../ui/parts.tsx";
import { mayAsOperator, pageStatus, refusalPage, type Form } from "../../answers.tsx";
import { COMPANIES_PATH } from "../companies/company.ts";
import { doneOf, operatorGuards } from "../guards.ts";
import { toProposal } from "../proposals/proposal.ts";
import { KINDS, termsOf, type Kind } from "./account-terms.tsx";
import { AccountSection, accountsPath, ConnectSection } from "./accounts.tsx";

type Connection = JsonOf<typeof connectProviderAccount>;

/** A company's accounts at PSPs and acquirers: how they are, and connecting, draining, disconnecting them. */
export function accountsScreen(app: ConsoleApp): void {
  const { show, act } = operatorGuards(app);
  const PATH = "/operator/companies/:id/providers";
  show(PATH, "companies:read", (c) => accountsPage(c));
  act(PATH, "companies:write", connect);
  act(`${PATH}/:account/state`, "companies:write", changeState);
  act(`${PATH}/:account/disconnect`, "companies:write", disconnect);
}

async function accountsPage(c: ConsoleContext, again?: { form: Form; refused: RouteRefusal }) {
  const texts = textsOf(c);
  const labels = texts.providerAccounts;
  const companyId = idOf(c);
  const answer = await callRoute(c, listProviderAccounts, { params: { companyId } });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  const mayChange = mayAsOperator(c, "companies:write");
  const done = doneOf(c, labels.done);
  const { form = {}, refused } = again ?? {};
  return page(
    c,
    {
      ...headOf(c),
      title: fill(labels.titleOf, { id: companyId }),
      status: pageStatus({ status: refused?.status ?? 200 }),
      actions: (
        <a class="button" href={`${COMPANIES_PATH}/${companyId}`}>
          {texts.operatorCompanies.health}
        </a>
      ),
    },
    <>
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      {refused === undefined ? null : <ProblemNotice problem={refused.body} />}
      {answer.body.data.length === 0 ? <p>{labels.none}</p> : null}
      {answer.body.data.map((account) => (
        <AccountSection
          companyId={companyId}
          account={account}
          mayChange={mayChange}
          newKey={() => crypto.randomUUID()}
        />
      ))}
      {mayChange ? (
        <ConnectSection
          companyId={companyId}
          kind={kindOf(form.provider ?? c.req.query("kind"))}
          form={form}
          errors={refused?.body.errors ?? {}}
          newKey={crypto.randomUUID()}
        />
      ) : null}
    </>,
  );
}

/** Connects an account, or proposes it where another operator must approve it. */
async function connect(c: ConsoleContext, form: Form) {
  const params = { companyId: idOf(c), account: form.account ?? "" };
  const answer = await callRoute(c, connectProviderAccount, { params, json: connectionOf(form) });
  if (!answer.ok) return accountsPage(c, { form, refused: answer });
  if (answer.status === 202) return toProposal(c, answer.body.data.id);
  return doneAt(c, answer.body.webhook === "failed" ? "callbackFailed" : "connected");
}

async function changeState(c: ConsoleContext, form: Form) {
  const { state = "" } = form;
  const answer = await callRoute(c, changeProviderAccount, {
    params: paramsOf(c),
    json: { state: asTyped(state) },
  });
  if (!answer.ok) return accountsPage(c, { form: {}, refused: answer });
  if (answer.status === 202) return toProposal(c, answer.body.data.id);
  return doneAt(c, state === "active" ? "active" : "draining");
}

async function disconnect(c: ConsoleContext) {
  const answer = await callRoute(c, disconnectProviderAccount, { params: paramsOf(c) });
  if (!answer.ok) return accountsPage(c, { form: {}, refused: answer });
  return doneAt(c, "disconnected");
}

/** The account that automatic debits are paid to; none where its number is left out. */
function receiverOf(form: Form) {
  const branch = (form["settings.receiver.branch"] ?? "").trim();
  if ((form["settings.receiver.account"] ?? "").trim() === "") return {};
  const receiver = {
    account: asTyped(form["settings.receiver.account"] ?? ""),
    accountType: asTyped(form["settings.receiver.accountType"] ?? ""),
    ...(branch === "" ? {} : { branch }),
  };
  return { receiver };
}

/** The headers that a PSP wants with each call; none where all are left out. */
function headersOf(form: Form) {
  const typed = PSP_HEADERS.map((name) => [name, form[`settings.headers.${name}`] ?? ""] as const);
  const filled = typed.filter(([, value]) => value.trim() !== "");
  if (filled.length === 0) return {};
  return { headers: Object.fromEntries(filled.map(([name, value]) => [name, asTyped(value)])) };
}

/** The request that a form asks for, as typed where it cannot be read. */
function connectionOf(form: Form): Connection {
  const text = (name: string) => asTyped(form[name] ?? "");
  const filled = (name: string) => (form[name] ?? "").trim();
  const common = {
    ...termsOf(form),
    reason: text("reason"),
  };
  const baseUrl = text("settings.baseUrl");
  const termsProven = form["settings.termsProven"] === "on";
  const orNull = (name: string) => (filled(name) === "" ? null : text(name));
  const kind = kindOf(form.provider);
  switch (kind) {
    case "pix-api": {
      const url = orNull("settings.payouts.url");
      return {
        provider: kind,
        ...common,
        settings: {
          baseUrl,
          tokenUrl: text("settings.tokenUrl"),
          tokenBody: text("settings.tokenBody"),
          clientId: text("settings.clientId"),
          pixKey: text("settings.pixKey"),
          certificate: orNull("settings.certificate"),
          tokenClient: text("settings.tokenClient"),
          scope: form["noScope"] === "on" ? "" : orNull("settings.scope"),
          ...headersOf(form),
          charge: text("settings.charge"),
          requireClientCertificate: form["settings.requireClientCertificate"] === "on",
          payouts: url === null ? null : { url },
          ...receiverOf(form),
        },
        secrets: { clientSecret: text("secrets.clientSecret") },
      };
    }
    case "efi-cobrancas":
      return {
        provider: kind,
        ...common,
        settings: {
          baseUrl,
          clientId: text("settings.clientId"),
          payeeCode: orNull("settings.payeeCode"),
          termsProven,
        },
        secrets: { clientSecret: text("secrets.clientSecret") },
      };
    case "pagarme":
      return {
        provider: kind,
        ...common,
        settings: {
          baseUrl,
          publicKey: text("settings.publicKey"),
          ...(filled("settings.accountId") === "" ? {} : { accountId: text("settings.accountId") }),
          kind: text("settings.kind"),
          termsProven,
        },
        secrets: { secretKey: text("secrets.secretKey") },
      };
  }
}

function kindOf(text: string | undefined): Kind {
  return KINDS.find((kind) => kind === text) ?? "pix-api";
}

function doneAt(c: ConsoleContext, word: string) {
  return c.redirect(`${accountsPath(idOf(c))}?done=${word}`, 303);
}

const idOf = (c: ConsoleContext) => encodeURIComponent(c.req.param("id") ?? "");

const paramsOf = (c: ConsoleContext) => ({
  companyId: idOf(c),
  account: c.req.param("account") ?? "",
});

function headOf(c: ConsoleContext) {
  return { title: textsOf(c).operatorCompanies.title, active: COMPANIES_PATH };
}
