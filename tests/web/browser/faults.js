// What is wrong with how a page is laid out, as sentences: text that is small, cut, broken inside a
// word, off the screen or printed over something else. Run in the page; `given.scrolls` names what may scroll inside.
(given) => {
  const SLACK = 1.5;
  const found = new Set();
  const root = document.documentElement;
  const told = (node) => {
    const words = node.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
    const name = [...node.classList].join(".");
    return `${node.localName}${name && `.${name}`} "${words}"`;
  };
  const modal = document.querySelector("dialog[open]");
  const within = modal ?? document.body;

  const clipped = new Map();
  const isClipped = (node) => {
    if (!node || node === document.body) return false;
    if (!clipped.has(node)) clipped.set(node, getComputedStyle(node).clipPath !== "none" || isClipped(node.parentElement));
    return clipped.get(node);
  };
  const isSeen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !node.closest(".unseen, .skip, noscript") && !isClipped(node);

  // -- what is there ------------------------------------------------------------------------------
  const texts = []; // {node, text, rects}
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || ["SCRIPT", "STYLE", "OPTION"].includes(node.tagName) || !isSeen(node) || node.closest(given.art)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1);
    if (rects.length) texts.push({ node, text, rects });
  }
  const controls = [...within.querySelectorAll("button, a[href], input, select, textarea, summary, .card, .disc, .meter")]
    .filter(isSeen)
    .map((node) => ({ node, rects: [node.getBoundingClientRect()].filter((rect) => rect.width > 1 && rect.height > 1) }));

  // -- the page itself ----------------------------------------------------------------------------
  if (root.scrollWidth > innerWidth) found.add(`the page is ${root.scrollWidth} wide on a screen of ${innerWidth}`);

  // -- each text ----------------------------------------------------------------------------------
  const scaleOf = (node) => (node.ownerSVGElement ? Math.abs(node.getScreenCTM?.()?.a ?? 1) : 1);
  for (const { node, text, rects } of texts) {
    const size = parseFloat(getComputedStyle(node).fontSize) * scaleOf(node);
    if (size < 11.9) found.add(`${told(node)} is ${size.toFixed(1)} px high`);
    if (!node.closest(".scroll, .scrolls")) for (const rect of rects) if (rect.left < -SLACK || rect.right > innerWidth + SLACK) found.add(`${told(node)} is off the screen`);
    const held = getComputedStyle(node);
    if (held.textOverflow === "ellipsis" && held.overflow !== "visible" && node.scrollWidth > node.clientWidth + SLACK) found.add(`${told(node)} is cut short`);
    if (rects.length > 1 && !node.ownerSVGElement && !node.closest(given.breaks)) {
      for (const match of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        const word = document.createRange();
        word.setStart(text, match.index);
        word.setEnd(text, match.index + match[0].length);
        const lines = new Set([...word.getClientRects()].filter((rect) => rect.width > 1).map((rect) => Math.round(rect.top / 4)));
        if (lines.size > 1) found.add(`${told(node)} breaks inside "${match[0]}"`);
      }
    }
    for (let around = node; around && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const box = around.getBoundingClientRect();
      const out = rects.some((rect) => rect.bottom > box.bottom + SLACK || rect.top < box.top - SLACK || rect.right > box.right + SLACK || rect.left < box.left - SLACK);
      if (out && !around.matches(given.scrolls)) found.add(`${told(node)} is cut by ${around.localName}.${[...around.classList].join(".")}`);
      if (getComputedStyle(around).position === "fixed") break;
    }
  }

  // -- one over another ---------------------------------------------------------------------------
  const things = [...texts, ...controls].filter(({ node }) => !node.closest(given.overlaid));
  const shown = (node, rect) => { // as much of it as has not been scrolled away
    const frame = node.closest(given.scrolls)?.getBoundingClientRect();
    if (!frame) return rect;
    const [left, top] = [Math.max(rect.left, frame.left), Math.max(rect.top, frame.top)];
    return new DOMRect(left, top, Math.max(0, Math.min(rect.right, frame.right) - left), Math.max(0, Math.min(rect.bottom, frame.bottom) - top));
  };
  const boxes = things.flatMap(({ node, rects }) => rects.map((rect) => ({ node, rect: shown(node, rect) })));
  boxes.sort((a, b) => a.rect.top - b.rect.top);
  const together = (a, b) => a.contains(b) || b.contains(a) || (a.ownerSVGElement && a.ownerSVGElement === b.ownerSVGElement) || (a.closest(given.piles) && a.closest(given.piles) === b.closest(given.piles));
  for (let i = 0; i < boxes.length; i += 1) {
    const { node: one, rect: a } = boxes[i];
    for (let j = i + 1; j < boxes.length && boxes[j].rect.top < a.bottom - 2; j += 1) {
      const { node: other, rect: b } = boxes[j];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 2.5 && !together(one, other)) found.add(`${told(one)} lies over ${told(other)}`);
    }
  }
  return [...found];
}
