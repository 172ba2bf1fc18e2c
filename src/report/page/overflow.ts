/** Watches every table that may be wider than its container. */
export function watchTables(): void {
  for (const place of document.querySelectorAll<HTMLElement>('.scroll')) {
    watchOverflow(place, (goesOn) => {
      // A table that is completely visible is no stop for keyboard navigation.
      place.tabIndex = goesOn ? 0 : -1;
    });
  }
}

/** Marks the sides where the content of `place` is cut off, for the style. */
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
