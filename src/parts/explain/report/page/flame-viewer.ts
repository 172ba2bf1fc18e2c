import { element } from '../../../../report/page/element.ts';
import { onColors, themeNow } from '../../../../report/page/figure.ts';
import type { PagePart } from '../../../../report/page/page.ts';
import { groupText } from '../../../../report/words/explain.ts';
import { plain } from '../../../../text/plain.ts';
import { drawFlame, flameHeight, ROW } from '../flame/draw.ts';
import { boxText, descriptionOf, FLAME, firstPair, foundText } from '../flame/flame.ts';
import { type Box, layout, type Pair, type Widths } from '../flame/layout.ts';
import type { FlameNode, PageProfile } from '../page-profile.ts';

export const flamePage: PagePart = {
  figure: FLAME,
  draw(figure, data, findings) {
    const profile = data as PageProfile | null;
    const pair = profile && firstPair(findings, profile);
    if (profile !== null && pair !== null) flameViewer(figure, profile, pair);
  },
};

/** Makes the flame graph interactive: search, zoom by click or Enter, arrow keys, and the choice of widths. */
export function flameViewer(figure: HTMLElement, profile: PageProfile, pair: Pair): void {
  const place = figure.querySelector<HTMLElement>('.drawing');
  if (place === null) return;
  const { variants, root } = profile;
  let { baseline, variant } = pair;
  let path: readonly FlameNode[] = [root];
  let boxes: readonly Box[] = [];
  let found: ReadonlySet<number> | null = null;
  let at = -1;

  const canvas = element('canvas', {
    role: 'img',
    tabindex: 0,
    'aria-label': descriptionOf(profile, pair),
    'aria-keyshortcuts': 'ArrowDown ArrowUp ArrowLeft ArrowRight Home Enter Escape',
  });
  const plot = element('div', { class: 'plot flame' }, canvas);
  const words = element('p', { class: 'note flame-words' });
  const announcement = element('p', { class: 'hidden', 'aria-live': 'polite' });
  const search = element('input', { type: 'search', id: 'flame-search', autocomplete: 'off', spellcheck: 'false' });
  const hits = element('span', { 'aria-live': 'polite' });
  const whole = element('button', { type: 'button' }, 'Zoom out');
  const widths = choice('flame-widths', [
    ['both', 'both together'],
    ['baseline', 'the baseline'],
    ['variant', 'the variant'],
  ]);
  const others = variants.flatMap((name, of): [string, string][] =>
    of === baseline ? [] : [[String(of), plain(name, 60)]],
  );
  const of = choice('flame-variant', others);
  of.value = String(variant);

  const draw = (): void => {
    const width = Math.max(place.clientWidth, 1);
    const height = flameHeight(boxes);
    const ratio = Math.max(1, devicePixelRatio);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext('2d');
    if (context === null) return;
    context.scale(ratio, ratio);
    drawFlame(context as never, { boxes, width, theme: themeNow(width), at, ...(found && { found }) });
  };
  const match = (): void => {
    const asked = search.value.trim().toLowerCase();
    const isFound = ({ name }: FlameNode): boolean => name.toLowerCase().includes(asked);
    const count = (node: FlameNode): number =>
      node.children.reduce((sum, child) => sum + count(child), isFound(node) ? 1 : 0);
    found = asked === '' ? null : new Set(boxes.flatMap(({ node }, i) => (isFound(node) ? [i] : [])));
    hits.textContent = found === null ? '' : foundText(boxes, found, count(root));
  };
  const deeper = (): string =>
    plot.scrollHeight > plot.clientHeight
      ? ` There are ${flameHeight(boxes) / ROW} rows: scroll for those at the bottom.`
      : '';
  const tell = (i: number): void => {
    const box = boxes[i];
    words.textContent =
      box === undefined
        ? `${HELP}${deeper()}`
        : boxText(box, box.node.group === null ? null : groupText(box.node.group));
  };
  const redo = (): void => {
    canvas.setAttribute('aria-label', descriptionOf(profile, { baseline, variant }));
    boxes = layout(path, { baseline, variant }, widths.value as Widths);
    at = Math.min(at, boxes.length - 1);
    whole.disabled = path.length === 1;
    match();
    draw();
    tell(at);
  };
  /** Scrolls deep stacks to the focused box. */
  const show = (): void => {
    const top = (boxes[at]?.depth ?? 0) * ROW;
    if (top < plot.scrollTop) plot.scrollTop = top;
    if (top + 2 * ROW > plot.scrollTop + plot.clientHeight) plot.scrollTop = top + 2 * ROW - plot.clientHeight;
  };
  const go = (i: number): void => {
    at = i;
    draw();
    tell(at);
    if (at >= 0) show();
    announcement.textContent = at < 0 ? '' : words.textContent;
  };
  const zoom = (i: number): void => {
    const to: FlameNode[] = [];
    for (let k = i; k >= 0; k = boxes[k]?.parent ?? -1) to.unshift(boxes[k]!.node);
    if (to.length === 0) return;
    path = to;
    at = to.length - 1;
    redo();
    show();
    announcement.textContent = words.textContent;
  };
  const out = (): void => zoom(path.length - 2);

  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const box = boxes[at];
    const row = boxes
      .flatMap(({ depth, x }, i) => (box !== undefined && depth === box.depth ? [{ i, x }] : []))
      .sort((a, b) => a.x - b.x);
    const beside = (by: number): number => row[row.findIndex(({ i }) => i === at) + by]?.i ?? at;
    const steps: Record<string, () => void> = {
      ArrowDown: () =>
        go(
          at < 0
            ? 0
            : Math.max(
                at,
                boxes.findIndex(({ parent }) => parent === at),
              ),
        ),
      ArrowUp: () => go(Math.max(0, box?.parent ?? 0)),
      ArrowLeft: () => go(Math.max(0, beside(-1))),
      ArrowRight: () => go(Math.max(0, beside(1))),
      Home: () => go(0),
      Enter: () => zoom(Math.max(at, 0)),
      Escape: () => (path.length > 1 ? out() : go(-1)),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    step();
    event.preventDefault();
  });
  canvas.addEventListener('blur', () => go(-1));
  const under = ({ offsetX, offsetY }: MouseEvent): number => {
    const [x, depth] = [offsetX / canvas.clientWidth, Math.floor(offsetY / ROW)];
    return boxes.findIndex((box) => box.depth === depth && x >= box.x && x < box.x + box.width);
  };
  canvas.addEventListener('mousemove', (event) => tell(under(event)));
  canvas.addEventListener('mouseleave', () => tell(at));
  canvas.addEventListener('click', (event) => zoom(under(event)));
  search.addEventListener('input', () => {
    match();
    draw();
  });
  search.addEventListener('keydown', (event) => {
    const all = [...(found ?? [])];
    if (event.key !== 'Enter' || all.length === 0) return;
    event.preventDefault();
    go(all.find((i) => i > at) ?? all[0]!);
  });
  whole.addEventListener('click', () => {
    out();
    if (whole.disabled) canvas.focus({ preventScroll: true });
  });
  widths.addEventListener('change', redo);
  of.addEventListener('change', () => {
    variant = Number(of.value);
    redo();
  });

  const controls = element(
    'div',
    { class: 'controls' },
    ...(others.length > 1 ? [element('label', { for: of.id }, 'Variant'), of] : []),
    element('label', { for: search.id }, 'Search'),
    search,
    element('label', { for: widths.id }, 'Widths of'),
    widths,
    whole,
    hits,
  );
  place.before(controls);
  place.append(plot, announcement);
  place.after(words);
  place.classList.add('live');
  redo();
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    requestAnimationFrame(draw);
  }).observe(place);
  onColors(draw);
}

const HELP = 'A click or Enter zooms in, Escape out; the arrow keys walk from function to function.';

function choice(id: string, options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement {
  return element('select', { id }, ...options.map(([value, text]) => element('option', { value }, text)));
}
