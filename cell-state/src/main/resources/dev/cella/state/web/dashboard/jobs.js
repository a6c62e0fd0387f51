// The jobs, those that are at something first, each with a bar of what its tasks are doing.

import { cell, element, find, setWidth, whole } from './page.js';

const SHOWN_MAX = 60;
const AT_WORK = new Set(['PENDING', 'RUNNING', 'STOPPING']);
const PARTS = [
  ['finished', tasks => tasks.finished],
  ['running', tasks => tasks.running + tasks.stopping],
  ['placed', tasks => tasks.placed],
  ['failed', tasks => tasks.failed + tasks.killed + tasks.preempted + tasks.lost],
];

export function drawJobs(jobs) {
  const ordered = [...jobs.values()].sort(newestAtWorkFirst);
  find('#jobs tbody').replaceChildren(...ordered.slice(0, SHOWN_MAX).map(drawJob));
  const more = find('#more-jobs');
  more.hidden = ordered.length <= SHOWN_MAX;
  more.textContent = `and ${whole(ordered.length - SHOWN_MAX)} more: cella job list`;
}

function newestAtWorkFirst(one, other) {
  return AT_WORK.has(other.state) - AT_WORK.has(one.state) || other.submittedVersion - one.submittedVersion;
}

function drawJob(job) {
  const count = job.groups.reduce((sum, group) => sum + group.count, 0);
  const state = element('td', { text: job.state, title: job.reason ?? '' });
  return element('tr', {}, [
    cell(job.name, 'name'),
    cell(job.scheduler, 'soft'),
    state,
    element('td', {}, [drawTasks(job.tasks, count)]),
    cell(whole(job.conflicts), 'number'),
  ]);
}

function drawTasks(tasks, count) {
  const bar = element('div', { className: 'bar' }, PARTS.map(([name, of]) => {
    const part = element('i', { className: name });
    setWidth(part, of(tasks) / count);
    return part;
  }));
  const words = Object.entries(tasks).filter(([, number]) => number > 0).map(([state, number]) => `${number} ${state}`);
  bar.setAttribute('role', 'img');
  bar.setAttribute('aria-label', words.join(', '));
  bar.title = words.join(', ');
  return element('div', { className: 'tasks' }, [bar, element('span', { className: 'soft', text: whole(count) })]);
}
