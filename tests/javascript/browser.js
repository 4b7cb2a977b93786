// What the modules touch of the browser while they are imported, for node. Import it first.

class Page extends EventTarget {
  hidden = false;
  activeElement = null;
  body = { dataset: {} };
  documentElement = { dataset: {} };
  querySelector() {
    return null;
  }
  querySelectorAll() {
    return [];
  }
}

const events = new EventTarget();
const kept = new Map();

Object.assign(globalThis, {
  document: new Page(),
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
  localStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) },
  location: { search: "", hash: "", pathname: "/", protocol: "http:", host: "localhost", assign: () => {} },
  matchMedia: () => ({ matches: false }),
});

/**
 * Answer every request of the pages with `reply(method, path, body, headers)`; returns the list of requests.
 *
 * @param {(request: { method: string, path: string, body: any, headers: any }) => any} reply
 */
export function serve(reply) {
  const requests = [];
  globalThis.fetch = async (path, { method = "GET", headers = {}, body } = {}) => {
    const request = { method, path: path.replace("/api/v1", ""), body: body && JSON.parse(body), headers };
    requests.push(request);
    const { status = 200, ...content } = (await reply(request)) ?? {};
    return new Response(JSON.stringify(content), { status, headers: { "Content-Type": "application/json" } });
  };
  return requests;
}

/** A wager as GET /tables/{table}/rules has it. */
export const wager = (name, more = {}) => ({
  name,
  title: name.charAt(0).toUpperCase() + name.slice(1),
  role: "required",
  offered: true,
  progressive: false,
  equals: "",
  needs: [],
  stakes: [],
  least: "10.00",
  most: "500.00",
  clause: `1(${name})`,
  ...more,
});
