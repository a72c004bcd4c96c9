import { Icon } from "../../shared/look/icon.tsx";
import { useTexts } from "../texts.ts";
import type { ShownSection } from "./menu.ts";

interface Navigation {
  sections: ShownSection[];
  /** The path of the open screen's tab. */
  active: string | undefined;
}

/** All sections: beside the page, and on a narrow screen above it once the bar's last entry asks for it. */
export function Menu({ sections, active }: Navigation) {
  const { shell } = useTexts();
  return (
    <nav class="menu" id="menu" aria-label={shell.menu}>
      <ul>
        {sections.map((section) => (
          <li>
            <SectionLink section={section} active={active} />
          </li>
        ))}
        <li class="close">
          <a href="#content">
            <Icon name="close" />
            {shell.closeMenu}
          </a>
        </li>
      </ul>
    </nav>
  );
}

/** The foot of a narrow screen: the most used sections, a new charge and the way to all. */
export function Bar(props: Navigation & { newCharge: string | null }) {
  const { sections, active, newCharge } = props;
  const { shell } = useTexts();
  // A cashier has one place, and is there.
  if (sections.length < 2) return null;
  const [first, second, ...others] = sections.filter(({ isInBar }) => isInBar === true);
  return (
    <nav class="bar" aria-label={shell.bar}>
      {[first, second].map((section) =>
        section === undefined ? null : <SectionLink section={section} active={active} />,
      )}
      {newCharge === null ? null : (
        <a class="add" href={newCharge}>
          <Icon name="add" />
          {shell.charge}
        </a>
      )}
      {others.map((section) => (
        <SectionLink section={section} active={active} />
      ))}
      <a href="#menu">
        <Icon name="more" />
        {shell.more}
      </a>
    </nav>
  );
}

function SectionLink({ section, active }: { section: ShownSection; active: string | undefined }) {
  const { menuSections } = useTexts();
  const isOpen = section === openOf([section], active);
  return (
    <a href={section.tabs[0]?.path} {...(isOpen ? { "aria-current": "page" } : {})}>
      <Icon name={section.icon} />
      {menuSections[section.name]}
    </a>
  );
}

/** The screens of the open section; nothing for a section of one screen. */
export function SectionTabs({ sections, active }: Navigation) {
  const { menu, menuSections } = useTexts();
  const open = openOf(sections, active);
  if (open === undefined || open.tabs.length < 2) return null;
  return (
    <nav class="tabs section-tabs" aria-label={menuSections[open.name]}>
      {open.tabs.map(({ name, path }) => (
        <a href={path} {...(path === active ? { "aria-current": "page" } : {})}>
          {menu[name]}
        </a>
      ))}
    </nav>
  );
}

function openOf(sections: ShownSection[], active: string | undefined): ShownSection | undefined {
  return sections.find(({ tabs }) => tabs.some(({ path }) => path === active));
}
