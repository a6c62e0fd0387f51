// The page: follows the feed, shows the view that the address names, and draws a few times a second what has changed.

import { ask, hasToken, part, setToken, tokenOfAddress } from './api.js';
import { Cell, Follower } from './cell.js';
import { Conflicts, Photo } from './conflicts.js';
import { saveAnswer, saveReport } from './export.js';
import { Job } from './job.js';
import { Keys } from './keys.js';
import { Jobs, Machines, Tasks } from './lists.js';
import { Overview } from './overview.js';
import { ago, button, clock, find, link, problemPage, whole } from './page.js';
import { Calls, Machine, Members, Pools, Scheduler, Schedulers } from './places.js';
import { Time } from './time.js';
import { WhatIf } from './whatif.js';

const DRAW_PAUSE_MILLIS = 250;

const VIEWS = [
  [/^$/, 'Overview', Overview], [/^conflicts$/, 'Conflicts', Conflicts], [/^conflicts\/(\d+)(?:\/(.+))?$/, 'Photo finish', Photo],
  [/^what-if$/, 'What if', WhatIf],
  [/^jobs$/, 'Jobs', Jobs], [/^jobs\/(.+)$/, 'Job', Job], [/^tasks$/, 'Tasks', Tasks],
  [/^machines$/, 'Machines', Machines], [/^machines\/(.+)$/, 'Machine', Machine],
  [/^schedulers$/, 'Schedulers', Schedulers], [/^schedulers\/(.+)$/, 'Scheduler', Scheduler],
  [/^pools$/, 'Pools', Pools], [/^members$/, 'Members', Members], [/^calls$/, 'All calls', Calls],
];

const live = new Cell();
let past;
let view;
let shownPath;
let drawDue = 0;
let heardAt = 0;

const go = hash => { location.hash = hash; };
const time = new Time(live, shown => {
  past = shown;
  sayWhichTime();
  drawSoon();
});

/** However many changes come, the page is drawn so often and no more. */
function drawSoon() {
  drawDue ||= setTimeout(() => {
    drawDue = 0;
    requestAnimationFrame(draw);
  }, DRAW_PAUSE_MILLIS);
}

function draw() {
  const cell = past ?? live;
  find('#cell-name').textContent = live.name ?? '';
  find('#version').textContent = whole(cell.version);
  find('#machine-count').textContent = whole(cell.machines.size);
  find('#running').textContent = whole(cell.taskCount('running'));
  find('#pending').textContent = whole(cell.taskCount('pending'));
  time.bounds();
  if (heardAt > 0 || past) {
    view?.draw?.(cell, { past: past !== undefined, live });
  }
}

/** The frame of the past is around views that show it; the others say that they do not. */
function sayWhichTime() {
  document.body.classList.toggle('past', past !== undefined && view?.showsPast === true);
  document.body.classList.toggle('present', past !== undefined && view?.showsPast !== true);
}

/** The names in an address; nothing if they were mangled on their way. */
function decoded(names) {
  try {
    return names.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function showView() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const field = document.activeElement?.closest('#view') ? document.activeElement.name : '';
  view?.close?.();
  const asked = new URLSearchParams(query);
  const found = VIEWS.map(([pattern, title, View]) => ({ match: pattern.exec(path), title, View })).find(each => each.match);
  const names = found && decoded(found.match.slice(1).filter(Boolean));
  if (names) {
    view = new found.View(go, asked, names);
    document.title = `${[found.title, ...names].join(' ')} - Cella`;
  } else {
    document.title = 'Not found - Cella';
    view = { root: problemPage({ title: 'There is no such view', message: `Nothing is at ${location.hash}.` }, [link('the overview', '#/')]) };
  }
  find('#view').replaceChildren(view.root);
  sayWhichTime();
  find('#view').setAttribute('aria-label', document.title);
  if (shownPath !== undefined && shownPath !== path) {
    find('#view').focus({ preventScroll: true });
    window.scrollTo(0, 0);
  } else if (field) {
    find(`#view [name="${field}"]`)?.focus();
  }
  shownPath = path;
  document.querySelectorAll('nav a').forEach(each => {
    const isHere = each.getAttribute('href').replace(/^#\/?/, '') === path.split('/')[0];
    isHere ? each.setAttribute('aria-current', 'page') : each.removeAttribute('aria-current');
  });
  if (asked.get('at')) {
    time.go(Number(asked.get('at')));
  }
  draw();
}

function heard(state, problem) {
  const shown = find('#connection');
  const isNews = shown.dataset.state !== state;
  if (state === 'live') {
    heardAt = Date.now();
    sayConnection('live', isNews);
    find('#token').hidden = true;
  } else {
    sayConnection(heardAt > 0 ? lostWords() : `${problem.status > 0 ? problem.title : 'no server answers'}, trying again`, isNews);
    askForToken(problem);
  }
  if (isNews) {
    shown.dataset.state = state;
    document.body.classList.toggle('stale', state !== 'live');
  }
  drawSoon();
}

const lostWords = () => `connection lost, trying again; this is as of ${ago(heardAt)}`;

/** A screen reader says that the connection was lost or is back, and not each second how long ago. */
function sayConnection(text, isNews) {
  const shown = find('#connection');
  if (shown.textContent !== text) {
    shown.setAttribute('aria-live', isNews ? 'polite' : 'off');
    shown.textContent = text;
  }
}

/** In a browser that has not logged in, the login page takes the token of the address. */
function takeToken() {
  const token = tokenOfAddress();
  if (token) {
    setToken(token);
  }
  return token;
}

/** A cell that wants to know who asks says so; the token stays in this tab. */
function askForToken(problem) {
  const needed = problem?.status === 401 || problem?.status === 403;
  find('#token').hidden = !needed;
  if (needed) {
    find('#token-why').textContent = `${problem.message}. ${problem.hint}`;
  }
}

/** A name that is typed opens what has it. */
async function search(text) {
  const cell = past ?? live;
  if (cell.jobs.has(text)) {
    go(`#/jobs/${part(text)}`);
  } else if (cell.machines.has(text)) {
    go(`#/machines/${part(text)}`);
  } else if (/^\d+$/.test(text)) {
    const photo = await ask(`/v1/conflicts/photo?version=${text}`).catch(() => undefined);
    go(photo ? `#/conflicts/${text}` : `#/?at=${text}`);
  } else if (text.split('/').length === 3) {
    go(`#/jobs/${part(text.split('/')[0])}?task=${part(text)}`);
  } else {
    const isMachine = [...cell.machines.keys()].some(name => name.includes(text));
    go(`#/${isMachine ? 'machines' : 'jobs'}?q=${part(text)}`);
  }
}

takeToken();
find('#time').append(time.root);
find('#tools').append(button('time', () => time.toggle(), { id: 'time-button' }),
  button('export', saveShown, { id: 'export' }), button('?', () => keys.help(), { ariaLabel: 'keys' }));
find('#search').addEventListener('keydown', event => event.key === 'Enter' && event.target.value && search(event.target.value.trim()));
find('#token').addEventListener('submit', event => {
  event.preventDefault();
  setToken(new FormData(event.target).get('token').trim());
  event.target.hidden = true;
  follower.open();
  showView();
});
const keys = new Keys(go, {
  y: { name: 'time: show or hide the scrubber', act: () => time.toggle() },
  '[': { name: 'the conflict before', act: () => time.step(-1) },
  ']': { name: 'the next conflict', act: () => time.step(1) },
  n: { name: 'back to now', act: () => time.toNow() },
  e: { name: 'export what is shown', act: saveShown },
});
window.addEventListener('hashchange', () => {
  if (takeToken()) {
    follower.open();
  }
  showView();
});
document.addEventListener('click', event => { // a link to the present address changes nothing that a browser tells of
  const chosen = event.target.closest('a[href^="#"]');
  if (chosen?.hash === '#view') { // the fragment of the address names the view, so it cannot name a place in the page
    event.preventDefault();
    find('#view').focus();
  } else if (chosen?.hash === location.hash && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    showView();
  }
});
document.addEventListener('click', event => {
  const data = event.target.closest('.data a[href^="/v1/"]');
  if (data && hasToken()) {
    event.preventDefault();
    saveAnswer(data.getAttribute('href')).catch(problem => notice(`Nothing was saved: ${problem.message}. ${problem.hint}`));
  }
});
window.addEventListener('resize', drawSoon);
window.addEventListener('pointerup', drawSoon);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawSoon);
setInterval(() => find('#connection').dataset.state === 'lost' && heardAt > 0 && sayConnection(lostWords(), false), 1000);
if (location.pathname === '/docs') {
  history.replaceState(null, '', '/#/calls');
}
function notice(...content) {
  find('#notice').replaceChildren(...content, ' ', button('understood', () => { find('#notice').hidden = true; }));
  find('#notice').hidden = false;
}

async function saveShown() {
  try {
    await saveReport(past ?? live, find('#view'), view.asked?.());
  } catch (problem) {
    notice(`Nothing was exported: ${problem.message}. ${problem.hint ?? ''}`);
  }
}

/** Versions of the former history mean nothing in this one, so what is shown is asked for again. */
function anotherHistory(incarnation) {
  notice(`The cell has another history since ${clock(Date.now())} (incarnation ${incarnation}): it was restored or founded again.`
    + ' Versions, conflicts and addresses of the former one are gone. ', link('the overview', '#/'));
  time.toNow();
  showView();
}

/** Over plain HTTP a browser has six connections to a server, for all its tabs. Those that nobody sees leave theirs to the others. */
function followWhileSeen() {
  document.hidden ? follower.close() : follower.open();
  view?.followWhileSeen?.();
}

const follower = new Follower(live, heard, anotherHistory);
document.addEventListener('visibilitychange', followWhileSeen);
showView();
followWhileSeen();
