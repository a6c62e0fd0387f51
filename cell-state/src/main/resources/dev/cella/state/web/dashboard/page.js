// Small things that every part of the page makes its elements with. Text is set as text, never as markup.

export const find = selector => document.querySelector(selector);

export function element(tag, { text = '', title = '', className = '' } = {}, children = []) {
  const made = document.createElement(tag);
  if (text !== '') {
    made.textContent = text;
  }
  if (title) {
    made.title = title;
  }
  if (className) {
    made.className = className;
  }
  made.append(...children);
  return made;
}

export const cell = (text, className = '') => element('td', { text, className });

export const headCell = (text, scope, className = '') => {
  const head = element('th', { text, className });
  head.scope = scope;
  return head;
};

export const whole = number => Number(number).toLocaleString('en');

export const percent = fraction => `${Math.round(fraction * 100)} %`;

export function setWidth(of, fraction) {
  of.style.width = `${Math.min(1, fraction) * 100}%`;
}

/** A bar with its number beside it; what is not known is a dash. */
export function meter(value, text, className = '') {
  const filled = element('b');
  setWidth(filled, value ?? 0);
  return element('td', {}, [
    element('div', { className: `meter ${className}` }, [
      element('i', {}, [filled]),
      element('span', { text: value === undefined ? '-' : text }),
    ]),
  ]);
}
