// Roles and pages as the server declares them, in one place: who may look where, and what stands in the bars.

/** @type {{ roles: any[], pages: any[] } | null} */
let read = null;
const site = () => (read ??= JSON.parse(document.getElementById("site")?.textContent ?? '{"roles":[],"pages":[]}'));

export const roleNames = () => site().roles.map((role) => role.name);

/** The page to which somebody in this role is taken after signing in. */
export const homeOf = (role) => site().roles.find(({ name }) => name === role)?.home ?? "/";

/** The roles that guests may try: name, title, words. */
export const jobs = () =>
  site()
    .roles.filter((role) => role.job)
    .map((role) => [role.name, role.job, role.job_words]);

/** Address and words of a role's links in the bar on top. */
export const topBar = (role) =>
  site()
    .pages.filter((page) => page.top[role])
    .map((page) => [page.path, page.top[role]]);

/** Address and words of the links in the bar of the operator's pages. */
export const houseBar = () =>
  site()
    .pages.filter((page) => page.house)
    .map((page) => [page.path, page.house]);

/** May somebody in this role look at the page that is open? */
export function mayLook(role) {
  const page = site().pages.find(({ template }) => template === document.body.dataset.page);
  return !page?.roles.length || page.roles.includes(role);
}
