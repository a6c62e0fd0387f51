// Small things that every part of the page makes its elements with. Text is set as text, never as markup.

import { address } from './api.js';
import { inShownOrder, isInUse, isPressed } from './steady.js';

export const find = selector => document.querySelector(selector);

/** An element with properties and children; `data` and `aria` set the attributes of that kind, `click` what a click does. */
export function element(tag, { text, data = {}, aria = {}, click, ...properties } = {}, children = []) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== '') {
    made.textContent = text;
  }
  Object.assign(made, properties);
  Object.entries(data).forEach(([name, value]) => { made.dataset[name] = value; });
  Object.entries(aria).forEach(([name, value]) => made.setAttribute(name === 'role' ? 'role' : `aria-${name}`, value));
  if (click) {
    made.addEventListener('click', click);
  }
  made.append(...children.filter(child => child !== undefined));
  return made;
}

export const cell = (content, className = '') =>
  element('td', { className }, [content instanceof Node ? content : String(content ?? '')]);

export const headCell = (text, scope, className = '') => element('th', { text, scope, className });

export const link = (text, href, className = '') => element('a', { text, href, className });

export const button = (text, click, properties = {}) => element('button', { type: 'button', text, click, ...properties });

/** The button of a form. With it, Enter in a field does the same. */
export const submit = (text, properties = {}) => element('button', { text, ...properties });

export const heading = text => element('h2', { text });

export const whole = number => Number(number).toLocaleString('en');

/** Names in the order of their numbers. Made once: a comparison that makes its own takes a hundred times as long. */
export const ORDER = new Intl.Collator('en', { numeric: true });

export const short = number => number === undefined ? '-' : Number(number).toLocaleString('en', { maximumFractionDigits: 2 });

export const percent = fraction => fraction === undefined ? '-' : `${Math.round(fraction * 100)} %`;

/** The time of day where the browser is, with the day before it if that is not today. */
export function clock(at) {
  if (!at) {
    return '-';
  }
  const when = new Date(at);
  const time = when.toTimeString().slice(0, 8);
  return when.toDateString() === new Date(Date.now()).toDateString() ? time : `${when.toLocaleDateString('sv')} ${time}`; // as 2026-11-23
}

/** The same as an element whose title is the time in UTC, as a filter takes it. */
export const moment = at => at ? element('time', { text: clock(at), title: new Date(at).toISOString() }) : '-';

export function ago(at) {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(at)) / 1000));
  if (seconds < 90) {
    return `${seconds} s ago`;
  }
  return seconds < 5400 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}

export function setWidth(of, fraction) {
  of.style.width = `${Math.max(0, Math.min(1, fraction)) * 100}%`;
}

/** A bar with its number beside it; what is not known is a dash. */
export function meter(value, text, className = '') {
  const filled = element('b');
  setWidth(filled, value ?? 0);
  return element('div', { className: `meter ${className}` }, [
    element('i', {}, [filled]), element('span', { text: value === undefined ? '-' : text })]);
}

/** A table of rows that are lists of contents; a column is a name, or [name, class]. */
export function table(caption, columns, rows, empty = 'Nothing.') {
  if (rows.length === 0) {
    return element('p', { className: 'empty', text: empty });
  }
  const heads = columns.map(column => [column].flat());
  return element('div', { className: 'wide', tabIndex: 0, aria: { role: 'region', label: caption } }, [
    element('table', { aria: { label: caption } }, [
      element('thead', {}, [element('tr', {}, heads.map(([name, className]) => headCell(name, 'col', className ?? '')))]),
      element('tbody', {}, rows.map(row =>
        element('tr', {}, row.map((content, place) => cell(content, heads[place][1] ?? ''))))),
    ])]);
}

/** What the measured tasks use, beside what they asked for. */
export function usage({ tasks, used, cpuMilliAsked, memoryMibAsked }) {
  const part = (amount = 0, asked = 0) => asked > 0 ? amount / asked : undefined;
  const measured = (name, amount, asked) => [name, meter(part(amount, asked), percent(part(amount, asked))), whole(amount ?? 0), asked === undefined ? '-' : whole(asked)];
  return element('div', { className: 'usage' }, [
    heading(`Used by ${whole(tasks)} ${Number(tasks) === 1 ? 'task' : 'tasks'}`),
    table('Used, beside what was asked', ['What', 'Used of what was asked', ['Used', 'number'], ['Asked', 'number']], [
      measured('cpuMilli now', used.cpuMilli, cpuMilliAsked ?? 0), measured('cpuMilli since their start', used.cpuMilliMean, cpuMilliAsked ?? 0),
      measured('memoryMib', used.memoryMib, memoryMibAsked ?? 0), measured('diskMib', used.diskMib), measured('output, bytes a second', used.outputBytesPerSecond)])]);
}

/**
 * Replaces what a part shows only where it has changed; the focus stays on the same link or button, and a field keeps what is typed. A
 * link that is pressed is not replaced before it is released, and the rows of a table in use stay in their places.
 */
export function replace(part, made) {
  if (isPressed(part)) {
    return;
  }
  if (isInUse(part)) {
    keepRows(part.querySelectorAll('tbody'), made.querySelectorAll('tbody'));
  }
  if (part.childElementCount === 1 && part.firstElementChild.isEqualNode(made)) {
    return;
  }
  const focused = part.contains(document.activeElement) ? document.activeElement : undefined;
  if (focused?.matches('input, select, textarea')) {
    return;
  }
  const same = other => other.getAttribute('href') === focused.getAttribute('href') && other.textContent === focused.textContent;
  part.replaceChildren(made);
  if (focused?.matches('a, button')) {
    [...part.querySelectorAll(focused.localName)].find(same)?.focus();
  }
}

function keepRows(shown, made) {
  if (shown.length === 1 && made.length === 1) {
    made[0].append(...inShownOrder([...shown[0].rows], [...made[0].rows], row => row.querySelector('a')?.getAttribute('href')));
  }
}

/**
 * Links to the same table for programs. The answer's list is named where it has several, `answer` is the answer itself.
 *
 * @param before what stands before the links: another link, or a word where a section has several tables
 */
export function asData(path, list, before) {
  const csv = `${path}${path.includes('?') ? '&' : '?'}format=csv${list ? `&table=${list}` : ''}`;
  return element('p', { className: 'data' }, [...before ? [before, ' '] : [], link('JSON', path), ' ', link('CSV', csv)]);
}

/** A server gives no larger page of a list. */
const PAGE_ROWS_MAX = 1000;

/** Such links to a list that comes in pages: they give its first page, as large as a server gives one. */
export function asPage(path, parameters = {}, before) {
  const made = asData(address(path, { ...parameters, limit: PAGE_ROWS_MAX }), undefined, before);
  made.append(`, at most ${whole(PAGE_ROWS_MAX)} rows`);
  return made;
}

/** Amounts by dimension, one on a line. */
export const amounts = map => {
  const lines = Object.entries(map ?? {}).map(([name, amount]) => element('div', { text: `${whole(amount)} ${name}` }));
  return lines.length === 0 ? '-' : element('div', { className: 'amounts' }, lines);
};

/** An honest page about what cannot be shown, with a way on. */
export function problemPage(problem, ways) {
  return element('section', { className: 'problem', aria: { role: 'alert' } }, [
    element('h2', { text: problem.title ?? 'Something went wrong' }),
    element('p', { text: problem.message }),
    problem.hint ? element('p', { className: 'soft', text: problem.hint }) : undefined,
    element('p', {}, ways.flatMap(way => [way, ' '])),
  ]);
}

/** Stands where a view cannot show anything yet. */
export const waiting = problem => element('p', { className: 'soft', aria: { role: 'status' }, text: `${problem.message}; trying again` });

const style = getComputedStyle(document.documentElement);
export const colour = name => style.getPropertyValue(`--${name}`).trim();
