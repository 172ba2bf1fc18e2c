type Child = Node | string;

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
