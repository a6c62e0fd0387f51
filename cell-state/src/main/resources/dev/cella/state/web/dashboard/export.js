// What is saved as a file: a report for a post-mortem, which is what is shown now as one HTML file that needs no server, and data.

import { address, ask, asProblem, stream } from './api.js';
import { ledgerTable, matrixTable } from './conflicts.js';
import { element, heading, link, short, table, whole as number } from './page.js';

const LEDGER_MAX = 5000;
const BYTES_MAX = 3000000;

/**
 * Saves the view, and conflicts.
 *
 * @param asked the parameters of /v1/conflicts: those of the view, or else the last half hour
 */
export async function saveReport(cell, view, asked = { window: '30m' }) {
  const counted = await ask(address('/v1/conflicts', { ...asked, groupBy: 'machine' }));
  const { window, groupBy, from, to, ...filters } = asked;
  const ledger = await newest(address('/v1/conflicts/ledger', { ...filters, from: counted.fromAt, to }));
  const which = Object.entries(filters).filter(([, value]) => value).map(([name, value]) => `, ${name}=${value}`).join('');
  const report = document.implementation.createHTMLDocument(`Cella ${cell.name}: report`);
  report.documentElement.lang = 'en';
  const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).map(rule => rule.cssText).join('\n');
  report.body.append(
    element('header', {}, [element('h1', { text: `Cella ${cell.name}` }),
      element('p', { text: `Report of ${new Date().toISOString()}, version ${number(cell.version)}. Conflicts from ${counted.fromAt} to ${counted.toAt}${which}.`
        + ` Times of day below are those of ${Intl.DateTimeFormat().resolvedOptions().timeZone}.` })]),
    element('main', {}, [frozen(view),
      element('section', {}, [heading('Conflicts of the window'),
        element('p', { text: `${number(counted.conflicts)} claims lost, ${short(counted.conflictsPerSecond)} a second` }),
        matrixTable(counted.matrix, {}),
        table('By machine', ['Machine', ['Lost', 'number']], counted.groups.slice(0, 50).map(group => [group.key, number(group.count)]))]),
      element('section', {}, [heading(`The newest ${number(ledger.length)} lost claims`), ledgerTable(ledger)])]));
  report.querySelectorAll('a').forEach(each => each.removeAttribute('href'));
  report.querySelectorAll('button, input, select, form').forEach(each => each.remove());
  const rows = [...report.querySelectorAll('section:last-of-type tbody tr')];
  const whole = () => withRules(report.documentElement.outerHTML, rules);
  let text = whole();
  while (text.length > BYTES_MAX && rows.length > 0) {
    rows.splice(Math.floor(rows.length / 2)).forEach(row => row.remove());
    text = whole();
  }
  save(`cella-${cell.name}-${cell.version}.html`, new Blob(['<!DOCTYPE html>\n', text], { type: 'text/html' }));
  return text.length;
}

/** Saves the answer to that path. A browser that follows a link sends the cookie, and not the token of a tab. */
export async function saveAnswer(path) {
  const pieces = [];
  await stream(path, undefined, piece => pieces.push(piece)).catch(failure => { throw asProblem(failure); });
  const [call, query] = path.replace('/v1/', '').split('?');
  save(`cella-${call.replaceAll(/[^\w.-]+/g, '-')}.${new URLSearchParams(query).get('format') ?? 'json'}`, new Blob(pieces));
}

function save(name, content) {
  const file = link('', URL.createObjectURL(content));
  file.download = name;
  file.click();
  URL.revokeObjectURL(file.href);
}

/** The rules go in as text: this page's policy would refuse them as a part of a document. */
function withRules(text, rules) {
  return text.replace('</head>', () => `${['<', 'style>'].join('')}${rules}${['</', 'style>'].join('')}</head>`);
}

async function newest(path) {
  const all = [];
  let token;
  do {
    const page = await ask(`${path}${path.includes('?') ? '&' : '?'}limit=1000${token ? `&pageToken=${token}` : ''}`);
    all.push(...page.conflicts);
    token = page.nextPageToken;
  } while (token && all.length < LEDGER_MAX);
  return all;
}

/** A copy in which each canvas is a picture. */
function frozen(view) {
  const copy = view.cloneNode(true);
  const originals = [...view.querySelectorAll('canvas')];
  copy.querySelectorAll('canvas').forEach((canvas, place) => {
    const picture = element('img', { src: originals[place].toDataURL(), alt: originals[place].getAttribute('aria-label') ?? '' });
    picture.className = canvas.className;
    picture.style.width = originals[place].style.width || '100%';
    picture.style.height = originals[place].style.height;
    canvas.replaceWith(picture);
  });
  return copy;
}
