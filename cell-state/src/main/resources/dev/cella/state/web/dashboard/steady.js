// What a person is about to choose stays where it is, however often the page is drawn.

const IN_USE_MILLIS = 4000;

let pressed;
let movedAt = -IN_USE_MILLIS;

const moved = () => { movedAt = performance.now(); };
const released = () => { pressed = undefined; };

document.addEventListener('pointermove', moved, { capture: true, passive: true });
document.addEventListener('keydown', moved, true);
document.addEventListener('pointerdown', event => { pressed = event.target; }, true);
['pointerup', 'pointercancel'].forEach(end => document.addEventListener(end, released, true));
window.addEventListener('blur', released);

/** A click is lost if what was pressed is replaced before it is released. */
export const isPressed = part => pressed !== undefined && part.contains(pressed);

/** Someone points at the part, or has the focus in it, and did something a moment ago. */
export const isInUse = part => performance.now() - movedAt < IN_USE_MILLIS
  && (part.matches(':hover') || part.contains(document.activeElement));

/** The rows in the order in which they are shown now; new ones come last. */
export function inShownOrder(shown, rows, key) {
  const places = new Map(shown.map((row, place) => [key(row), place]));
  const known = rows.filter(row => places.has(key(row)));
  return [...known.sort((one, other) => places.get(key(one)) - places.get(key(other))), ...rows.filter(row => !places.has(key(row)))];
}
