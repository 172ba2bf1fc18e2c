type Child = Node | string;

/** A button that is no longer of use hands the focus on: the keyboard would begin at the top of the page. */
export function keepFocus(button: HTMLButtonElement, next: HTMLElement): void {
  if (document.activeElement === button && (button.disabled || button.hidden)) next.focus();
}

/** An element with its attributes and what is in it; text stays text. Null attributes are left out. */
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
