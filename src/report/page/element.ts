type Child = Node | string;

/** Moves the focus from a disappearing button, since the keyboard would otherwise continue at the top of the page. */
export function keepFocus(button: HTMLButtonElement, next: HTMLElement): void {
  if (document.activeElement === button && (button.disabled || button.hidden)) next.focus();
}

/** Creates an element with attributes and children; strings become text nodes. Null attributes are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number | null>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}
