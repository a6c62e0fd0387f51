// The newest versions, a line each: what changed, and by whom.

import { element, find, whole } from './page.js';

const NAMED_MAX = 2;

export function drawFeed(events) {
  find('#feed ol').replaceChildren(...events.map(drawEvent));
}

function drawEvent(event) {
  return element('li', {}, [
    element('time', { text: event.at.toTimeString().slice(0, 8) }),
    element('b', { text: whole(event.version), title: event.transaction ?? '' }),
    element('span', { text: sentence(event) }),
  ]);
}

/** Tasks say it best; what has none is about a job, a machine or a session. */
export function sentence({ scheduler, changes }) {
  const of = kind => changes.filter(change => change.kind === kind);
  const who = scheduler ? `${scheduler}: ` : '';
  const tasks = of('TASK');
  if (tasks.length > 0) {
    return who + [...byState(tasks)].map(([state, names]) => `${state} ${list(names)}`).join('; ');
  }
  if (of('JOB').length > 0) {
    return who + of('JOB').map(job => `job ${job.name} ${job.row?.state ?? 'forgotten'}`).join('; ');
  }
  if (of('MACHINE').length > 0) {
    return who + of('MACHINE').map(machine => `machine ${machine.name} ${machine.row?.status ?? 'removed'}`).join('; ');
  }
  if (of('SESSION').length > 0) {
    return of('SESSION').map(session => `scheduler ${session.name} ${session.row ? 'has a session' : 'left'}`).join('; ');
  }
  return who + (scheduler ? 'nothing was placed' : 'no change');
}

function byState(tasks) {
  const states = new Map();
  for (const { name, row } of tasks) {
    const state = row?.state ?? 'forgotten';
    const where = state === 'PLACED' || state === 'LOST' ? ` on ${row.machine}` : '';
    states.set(state, [...(states.get(state) ?? []), name + where]);
  }
  return states;
}

function list(names) {
  const shown = names.slice(0, NAMED_MAX).join(', ');
  return names.length > NAMED_MAX ? `${shown} and ${names.length - NAMED_MAX} more` : shown;
}
