// The first page: the map, the last minutes, the schedulers, and who lost to whom.

import { part } from './api.js';
import { Charts } from './chart.js';
import { MachineMap } from './map.js';
import { ledgerTable, matrixTable } from './conflicts.js';
import { asData, asPage, element, heading, link, meter, percent, replace, short, table, whole } from './page.js';

export class Overview {
  constructor(go) {
    this.showsPast = true;
    this.map = new MachineMap(name => go(`#/machines/${part(name)}`));
    this.charts = new Charts(['placements', 'conflicts', 'pending', 'running', 'utilisation', 'latency']);
    this.schedulers = element('div');
    this.matrix = element('div');
    this.ledger = element('div');
    this.jobs = element('div');
    this.root = element('div', { className: 'overview' }, [
      element('div', { className: 'stack' }, [
        element('section', { id: 'machines' }, [heading('Machines'), this.map.root, asPage('/v1/machines')]),
        element('section', { id: 'schedulers' }, [heading('Schedulers'), this.schedulers, asPage('/v1/schedulers')])]),
      element('div', { className: 'stack' }, [
        element('section', { id: 'series' }, [heading('The last minutes'), this.charts.root, asData('/v1/series', 'series.points')]),
        element('section', { id: 'matrix' }, [heading('Who lost claims to whom, last 5 minutes'), this.matrix, asData('/v1/conflicts?window=5m', 'matrix')])]),
      element('section', { id: 'jobs' }, [heading('Jobs at work'), this.jobs, asPage('/v1/jobs', {}, link('all jobs', '#/jobs'))]),
      element('section', { id: 'ledger' }, [heading('Newest conflicts'), this.ledger, asPage('/v1/conflicts/ledger', {}, link('all conflicts', '#/conflicts'))]),
    ]);
  }

  draw(cell, { past }) {
    this.map.draw(cell);
    this.charts.draw(cell.series, past ? cell.version : undefined);
    if (past) {
      const away = () => element('p', { className: 'empty', text: 'Known for the present only.' });
      replace(this.schedulers, away());
      replace(this.matrix, element('p', {}, [link('conflicts up to this version', `#/conflicts?to=${cell.version}`)]));
      replace(this.ledger, away());
    } else {
      replace(this.schedulers, schedulerTable(cell.figures.schedulers?.schedulers));
      replace(this.matrix, matrixTable(cell.figures.conflicts?.matrix ?? [], {}));
      replace(this.ledger, ledgerTable((cell.figures.ledger?.conflicts ?? []).slice(0, 8)));
    }
    replace(this.jobs, jobTable(cell));
  }
}

export function schedulerTable(schedulers) {
  if (!schedulers) {
    return element('p', { className: 'empty', text: 'Waiting for the server.' });
  }
  return table('Schedulers',
    ['Scheduler', 'Busy', 'Conflict fraction', ['Placed', 'number'], ['Lost', 'number'], ['Queue', 'number']],
    schedulers.map(each => [
      link(each.name, `#/schedulers/${part(each.name)}`),
      meter(each.busyFraction, percent(each.busyFraction)),
      meter(each.conflictFraction, short(each.conflictFraction), 'conflicts'),
      whole(each.claims?.accepted ?? 0), whole(each.claims?.conflicted ?? 0), each.queueLength === undefined ? '-' : whole(each.queueLength),
    ]), 'No scheduler has a session: cella scheduler starts one.');
}

const AT_WORK = new Set(['PENDING', 'RUNNING', 'STOPPING']);
const SHOWN_MAX = 12;

function jobTable(cell) {
  const newest = [...cell.jobs.values()]
    .sort((one, other) => AT_WORK.has(other.state) - AT_WORK.has(one.state) || other.submittedVersion - one.submittedVersion)
    .slice(0, SHOWN_MAX);
  return table('Jobs at work', ['Job', 'Scheduler', 'State', 'Tasks', ['Conflicts', 'number']],
    newest.map(job => [link(job.name, `#/jobs/${part(job.name)}`), job.scheduler, job.state, taskBar(job), whole(job.conflicts)]),
    'No jobs yet: cella job run examples/hello.yaml --wait');
}

const PARTS = [
  ['finished', tasks => tasks.finished],
  ['running', tasks => tasks.running + tasks.stopping],
  ['placed', tasks => tasks.placed],
  ['failed', tasks => tasks.failed + tasks.lost],
  ['killed', tasks => tasks.killed + tasks.preempted],
];

/** What a job's tasks are doing, as a bar with words for those who do not see it. */
export function taskBar({ tasks, groups }) {
  const count = Math.max(1, groups.reduce((sum, group) => sum + group.count, 0));
  const words = Object.entries(tasks).filter(([, number]) => number > 0).map(([state, number]) => `${number} ${state}`).join(', ');
  const bar = element('div', { className: 'bar', title: words, aria: { role: 'img', label: words || 'no tasks' } },
    PARTS.map(([name, of]) => {
      const piece = element('i', { className: name });
      piece.style.width = `${Math.min(1, of(tasks) / count) * 100}%`;
      return piece;
    }));
  return element('div', { className: 'tasks' }, [bar, element('span', { className: 'soft', text: whole(count) })]);
}
