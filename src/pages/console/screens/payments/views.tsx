import type { listSavedViews } from "../../../../api/saved-views/routes.ts";
import { PAYMENT_FILTER_NAMES } from "../../../../domain/charges/saved-view.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, type Locale, type Texts, useLocale, useTexts } from "../../texts.ts";
import { Field, Section } from "../../ui/parts.tsx";
import { filterWord } from "./search.tsx";
import { filtersOf, queryOf, type Filters } from "./filters.ts";

const PATH = "/console/payments";

type View = RouteBody<typeof listSavedViews>["items"][number];

/** The person's views as links above the list; the one whose filters are shown is marked. */
export function ViewChips({ views, filters }: { views: View[]; filters: Filters }) {
  const labels = useTexts().savedViews;
  const shown = orderedQuery(filters);
  if (views.length === 0) return null;
  return (
    <nav class="chips" aria-label={labels.title}>
      <ul>
        {views.map(({ name, filters: saved }) => {
          const query = orderedQuery(saved);
          return (
            <li>
              <a
                class="chip"
                href={`${PATH}?${query}`}
                {...(query === shown ? { "aria-current": "true" } : {})}
              >
                {name}
              </a>
            </li>
          );
        })}
        <li>
          <a href={`${PATH}/views`}>{labels.manage}</a>
        </li>
      </ul>
    </nav>
  );
}

/** Gives the shown filters a name. `name`: what was typed before. */
export function SaveViewForm(props: { filters: Filters; name?: string; errors?: string[] }) {
  const { filters, name = "", errors = [] } = props;
  const labels = useTexts().savedViews;
  return (
    <form class="filters save-view" method="post" action={`${PATH}/views`}>
      {Object.entries(filters).map(([field, value]) => (
        <input type="hidden" name={`filter.${field}`} value={value} />
      ))}
      <Field
        label={labels.nameOfFilters}
        name="name"
        id="view-name"
        value={name}
        errors={errors}
        autocomplete="off"
        required
      />
      <button type="submit">{labels.save}</button>
    </form>
  );
}

/** The filters that a save form carries. */
export function savedFiltersOf(form: Record<string, string>): Filters {
  return filtersOf(
    Object.fromEntries(PAYMENT_FILTER_NAMES.map((field) => [field, form[`filter.${field}`]])),
  );
}

/** Each view with its filters, to rename or to delete. */
export function ViewSettings({ views }: { views: View[] }) {
  const texts = useTexts();
  const locale = useLocale();
  const labels = texts.savedViews;
  if (views.length === 0) {
    return (
      <div class="empty">
        <p>{labels.none}</p>
        <p>
          <a class="button" href={PATH}>
            {texts.payments.title}
          </a>
        </p>
      </div>
    );
  }
  return (
    <>
      {views.map((view) => (
        <Section title={view.name}>
          <p>
            <a href={`${PATH}?${orderedQuery(view.filters)}`}>{labels.open}</a>{" "}
            <span class="hint">{summaryOf(view.filters, texts, locale)}</span>
          </p>
          <form class="filters" method="post" action={`${PATH}/views/${view.id}/rename`}>
            <Field
              label={labels.newName}
              name="name"
              id={`name-${view.id}`}
              value={view.name}
              autocomplete="off"
              required
            />
            <button type="submit">{labels.rename}</button>
          </form>
          <form method="post" action={`${PATH}/views/${view.id}/delete`}>
            <button type="submit" class="danger">
              {fill(labels.delete, { name: view.name })}
            </button>
          </form>
        </Section>
      ))}
    </>
  );
}

/** The filters as words. */
function summaryOf(filters: Filters, texts: Texts, locale: Locale): string {
  const labels = texts.payments;
  return PAYMENT_FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const heading = name === "paymentMethod" ? labels.method : labels[name];
    return [`${heading}: ${filterWord(name, value, texts, locale)}`];
  }).join(" · ");
}

/** A query string in which equal filters are equal. */
function orderedQuery(filters: Filters): string {
  const pairs = PAYMENT_FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return queryOf(Object.fromEntries(pairs));
}
