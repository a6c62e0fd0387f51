// The attempts of tasks as lanes over time: pending, placed, running, ended, and where a claim was lost on the way.

import { clock, element, moment, short, table, whole } from './page.js';

const LANES_MAX = 40;
const ENDED = new Set(['FINISHED', 'FAILED', 'KILLED', 'PREEMPTED', 'LOST']);

/**
 * A lane for each task that something happened to last. On a job's page a task needs no job before its name. The steps of a machine do not say
 * since when a task waited, so a lane begins there when the task comes.
 *
 * @param held the tasks that a machine holds now: another one that has not ended there went on elsewhere, at a time that is not kept
 */
export function lanes(steps, { ofJob = true, held } = {}) {
  const own = steps.filter(step => step.task.includes('/'));
  if (own.length === 0) {
    return element('p', { className: 'empty', text: 'No task of it was placed in the time that is kept.' });
  }
  const byTask = new Map();
  own.forEach(step => byTask.set(step.task, [...byTask.get(step.task) ?? [], step]));
  const from = Date.parse(steps[0].at);
  const running = [...byTask.values()].some(list => !ENDED.has(list.at(-1).step));
  const to = Math.max(from + 1, running ? Date.now() : Date.parse(own.at(-1).at));
  const shown = [...byTask].slice(-LANES_MAX);
  return element('div', {}, [
    element('div', { className: 'lanes' }, shown.map(([task, list]) => lane(task, list, { from, to, since: asked(steps, list[0]) ?? from, isGone: held !== undefined && !held.has(task) }, ofJob))),
    legend(shown.flatMap(([, list]) => list), ofJob),
    element('p', { className: 'soft', text: `${clock(steps[0].at)} to ${running ? 'now' : clock(own.at(-1).at)}, `
      + `${short((to - from) / 1000)} s${byTask.size > LANES_MAX ? `; the newest ${LANES_MAX} of ${whole(byTask.size)} tasks` : ''}` }),
  ]);
}

/** The pattern of each state that is shown, with its name: none is told by its colour alone. */
function legend(steps, ofJob) {
  const states = new Set([...ofJob ? ['pending'] : [], ...steps.map(step => step.step === 'CONFLICTED' || step.step === 'REFUSED' ? 'conflict' : step.step.toLowerCase())]);
  return element('p', { className: 'legend' }, [...states].map(state =>
    element('span', { className: 'key' }, [element('span', { className: 'track' }, [element('i', { className: state })]), ` ${state}`])));
}

/** When the job was submitted or scaled last before that step: a task that scaling added did not wait before. */
function asked(steps, first) {
  const step = steps.findLast(each => each.version < first.version && (each.step === 'SUBMITTED' || each.step === 'SCALED'));
  return step && Date.parse(step.at);
}

/** Whether the task was pending before that step, the first that is kept of it. One that ran then was placed by a step that is gone. */
const waitedBefore = ({ step, machine }) => step === 'PLACED' || step === 'CONFLICTED' || step === 'REFUSED' || (step === 'KILLED' && !machine);

function lane(task, steps, { from, to, since, isGone }, ofJob) {
  const track = element('div', { aria: { role: 'img', label: steps.map(step => `${step.step} ${clock(step.at)}`).join(', ') } });
  const piece = (start, end, className, title) => {
    const bar = element('i', { className, title });
    bar.style.left = `${(start - from) / (to - from) * 100}%`;
    bar.style.width = `${Math.max(0.4, (end - start) / (to - from) * 100)}%`;
    track.append(bar);
  };
  let state = ofJob && waitedBefore(steps[0]) ? 'PENDING' : '';
  let words = 'pending';
  for (const step of steps) {
    const at = Date.parse(step.at);
    if (step.step === 'CONFLICTED' || step.step === 'REFUSED') {
      piece(at, at, 'conflict', `${step.step} ${step.reason ?? ''} ${step.machine ?? ''} ${clock(step.at)}`);
      continue;
    }
    if (state && !ENDED.has(state)) {
      piece(since, at, state.toLowerCase(), words);
    }
    since = at;
    state = step.step;
    words = `${step.step} ${step.machine ? `on ${step.machine}` : ''} ${step.reason ?? ''} ${clock(step.at)}`;
  }
  if (ENDED.has(state)) {
    piece(since, since, `end ${state.toLowerCase()}`, words);
  } else if (state) {
    piece(since, isGone ? since : to, state.toLowerCase(), words);
  }
  track.className = 'track';
  const name = element('a', { text: ofJob ? task.slice(task.indexOf('/') + 1) : task, href: `#/jobs/${encodeURIComponent(task.split('/')[0])}?task=${encodeURIComponent(task)}` });
  return element('div', { className: 'lane' }, [name, track, element('span', { className: 'soft', text: !state ? 'claim lost' : isGone && !ENDED.has(state) ? 'gone' : state.toLowerCase() })]);
}

export const stepTable = steps => table('Steps, newest first',
  ['When', ['Version', 'number'], 'Task', 'Step', ['Attempt', 'number'], 'Machine', 'Why', 'By'],
  [...steps].reverse().slice(0, 200).map(step => [moment(step.at), whole(step.version), step.task, step.step, step.attempt ?? '', step.machine ?? '',
    [step.reason, step.exitCode === undefined ? undefined : `exit ${step.exitCode}`].filter(Boolean).join(' '), step.scheduler ?? '']),
  'No steps are kept.');
