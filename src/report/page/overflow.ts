/** Watches every table that may be wider than its place. */
export function watchTables(): void {
  for (const place of document.querySelectorAll<HTMLElement>('.scroll')) {
    watchOverflow(place, (goesOn) => {
      // A table that is there as a whole is no stop for the keyboard.
      place.tabIndex = goesOn ? 0 : -1;
    });
  }
}

/** Marks the sides on which the content of `place` goes on, for the style to show. */
export function watchOverflow(place: HTMLElement, tell: (goesOn: boolean) => void = () => undefined): void {
  const mark = (): void => {
    const beyond = place.scrollWidth - place.clientWidth;
    if (place.clientWidth === 0) return;
    place.classList.toggle('more-left', place.scrollLeft > 1);
    place.classList.toggle('more-right', place.scrollLeft < beyond - 1);
    tell(beyond > 1);
  };
  place.addEventListener('scroll', mark, { passive: true });
  const observer = new ResizeObserver(mark);
  observer.observe(place);
  if (place.firstElementChild !== null) observer.observe(place.firstElementChild);
}
