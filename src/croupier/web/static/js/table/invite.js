// Inviting others to a table: its address to send, and as a QR code for the phone across the room.

import { note } from "../shared/announce.js";
import { h } from "../shared/dom.js";
import { openBox } from "../shared/sheets.js";

const ONLY_HERE = ["localhost", "127.0.0.1", "[::1]"];

export function openInvite(table) {
  const link = `${location.origin}/tables/${encodeURIComponent(table)}`;
  const address = h("input", {
    id: "invite-link",
    type: "text",
    readonly: true,
    value: link,
    onfocus: () => address.select(),
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      note("Link copied");
    } catch {
      address.focus(); // no clipboard here: it is selected, and the keys of the system copy it
      note("Copy the selected link");
    }
  };
  return openBox(
    "Invite to this table",
    h("p", {}, "Anyone who opens this link can watch, or take a free seat as a guest."),
    h("div.field", {}, h("label", { for: "invite-link" }, "Link"), address),
    h(
      "div.doors",
      {},
      h("button.gold", { type: "button", onclick: copy }, "Copy link"),
      navigator.share
        ? h(
            "button.plain",
            { type: "button", onclick: () => navigator.share({ title: document.title, url: link }).catch(() => {}) },
            "Share…",
          )
        : null,
    ),
    h("img.qr", {
      src: `/api/v1/tables/${encodeURIComponent(table)}/invitation`,
      alt: `QR code of ${link}`,
      width: 220,
      height: 220,
    }),
    ONLY_HERE.includes(location.hostname)
      ? h(
          "p.fine",
          {},
          "This address works on this computer only. To let others in, start the server with ",
          h("code", {}, "croupier serve --host 0.0.0.0"),
          " and open the page under the name of this computer.",
        )
      : null,
  );
}
