// Before a drain begins: each task of the machine, and a machine with room for it.

import { confirmed } from './actions.js';
import { address, ask, part } from './api.js';
import { element, table, whole } from './page.js';

const SHOWN_MAX = 200;
const PAGES_MAX = 10;

/**
 * By free amounts alone: the largest tasks first, each on the first machine that fits. The tasks' schedulers decide, and they know constraints
 * too. A task without room here has no room at all.
 */
export function moves(drained, tasks, machines) {
  const others = [...machines].filter(machine => machine.status === 'READY' && machine.name !== drained)
    .map(({ name, free }) => ({ name, free: { ...free } }));
  return [...tasks].sort((one, other) => (other.resources.cpuMilli ?? 0) - (one.resources.cpuMilli ?? 0)).map(task => {
    const asked = Object.entries(task.resources);
    const found = others.find(({ free }) => asked.every(([dimension, amount]) => amount <= (free[dimension] ?? 0)));
    asked.forEach(([dimension, amount]) => found && (found.free[dimension] -= amount));
    return { task: task.task, machine: found?.name };
  });
}

/** Those of the tasks that hold something on the machine, with what they asked for and what they use; of very many the first pages. */
export async function tasksOn(machine, names, get = ask) {
  const wanted = new Set(names);
  const found = [];
  let next = { machine, state: 'PLACED,RUNNING,STOPPING' };
  for (let page = 0; next && found.length < wanted.size && page < PAGES_MAX; page++) {
    const { tasks, nextPageToken } = await get(address('/v1/tasks', { ...next, limit: 1000 }));
    found.push(...tasks.filter(each => wanted.has(each.task)));
    next = nextPageToken && { pageToken: nextPageToken };
  }
  return found;
}

function preview(found, count) {
  const without = found.filter(each => !each.machine).length;
  const shown = Math.min(found.length, SHOWN_MAX);
  return element('div', { className: 'preview' }, [
    element('p', { text: `${found.length < count ? `${whole(found.length)} of ${whole(count)} tasks were looked at. ` : ''}${
      without === 0 ? `There is room elsewhere now for each of the ${whole(found.length)} shown.`
        : `There is no room elsewhere now for ${whole(without)} of the ${whole(found.length)} shown: they would wait.`}` }),
    table('Room for its tasks', ['Task', 'Has room on'], found.slice(0, shown).map(each => [each.task, each.machine ?? 'no machine'])),
    count > shown ? element('p', { className: 'soft', text: `and ${whole(count - shown)} more` }) : undefined]);
}

/** @param machines those of the cell as it is now, by name; without them there is no preview */
export async function drainMachine(machine, machines) {
  const { name } = machine;
  const count = machine.tasks.length;
  const tasks = count === 0 ? [] : await tasksOn(name, machine.tasks).catch(() => []); // whoever may not see them may still drain
  confirmed(`drain ${name}`, count === 0 ? 'No task is on it: it is drained at once. Nothing new is placed here.'
    : `Nothing new is placed here. ${whole(count)} tasks are on it; those of services are stopped at the deadline and placed elsewhere,`
      + ' those of batch jobs may finish.',
  [{ name: 'deadline', label: 'deadline', value: '10m', required: true }],
  said => ask(`/v1/machines/${part(name)}:drain`, { method: 'POST', body: { deadline: said.deadline } }),
  tasks.length === 0 || !machines?.size ? undefined : preview(moves(name, tasks, machines.values()), count));
}
