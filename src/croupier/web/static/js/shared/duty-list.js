// The operator's duties, by the place where they are done.

import { h } from "./dom.js";

const SCREENS = {
  open_a_table: "In the submission",
  approvals: "Approvals",
  felt: "On the felt",
  sign: "On the sign",
  progressive_controller: "At the progressive controller",
};

/** `only` names the places that are wanted here. */
export function dutyList(duties, only = Object.keys(SCREENS), open = false) {
  return only
    .map((screen) => [SCREENS[screen], duties.filter((duty) => duty.screen === screen)])
    .filter(([, some]) => some.length)
    .map(([words, some]) =>
      h(
        "details",
        { open },
        h("summary", {}, `${words} (${some.length})`),
        h(
          "ul.duties",
          {},
          some.map((duty) =>
            h("li", { data: { duty: duty.clause } }, h("span.clause-id", {}, duty.clause), h("span", {}, duty.words)),
          ),
        ),
      ),
    );
}
