// What changes the cell: every step is confirmed first, in words that say what will happen, and a refusal is shown.

import { ask } from './api.js';
import { button, element, find, submit } from './page.js';

/** Asks, and then does it; answers once it is done or given up. `more` is shown below the sentence. */
export function confirmed(title, sentence, fields, act, more) {
  const inputs = Object.fromEntries(fields.map(({ name, ...field }) => [name, element('input', { name, ...field })]));
  const failure = element('p', { className: 'failure', aria: { role: 'alert' } });
  const dialog = element('dialog', { aria: { label: title } });
  const form = element('form', { method: 'dialog' }, [
    element('h2', { text: title }), element('p', { text: sentence }), more,
    ...fields.map(({ name, label }) => element('label', { text: `${label} ` }, [inputs[name]])),
    failure,
    element('p', { className: 'buttons' }, [button('do nothing', () => dialog.close()), submit(title, { className: 'danger' })]),
  ]);
  form.addEventListener('submit', async event => {
    event.preventDefault();
    try {
      await act(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value])));
      dialog.close();
    } catch (problem) {
      failure.textContent = problem.status === 401 || problem.status === 403
        ? `You may not do this: ${problem.message}. ${problem.hint}` : `${problem.message}. ${problem.hint ?? ''}`;
    }
  });
  dialog.append(form);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (document.activeElement === document.body) { // the button was drawn again meanwhile
      find('#view').focus({ preventScroll: true });
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}

const job = name => `/v1/jobs/${encodeURIComponent(name)}`;

export function stopJob(name) {
  confirmed(`stop ${name}`, 'All its tasks are told to stop. The job stays in the list for a day and can be submitted again.', [],
    () => ask(job(name), { method: 'DELETE' }));
}

export function scaleJob(name, group, count) {
  confirmed(`scale ${name}/${group}`, `The group has ${count} tasks. Tasks above the new number stop.`,
    [{ name: 'count', label: 'tasks', type: 'number', min: 0, max: 100000, value: count, required: true }],
    said => ask(`${job(name)}:scale`, { method: 'POST', body: { group, count: Number(said.count) } }));
}

export function promoteJob(name) {
  confirmed(`promote ${name}`, 'The update goes on from its canaries to the other tasks.', [],
    () => ask(`${job(name)}:promote`, { method: 'POST', body: {} }));
}

/** It names what the job becomes, so a second click after a lost answer does not undo it. */
export function revertJob({ name, revertsTo, updatedVersion }) {
  confirmed(`revert ${name}`, 'The job becomes its former generation again, by an update.', [],
    () => ask(`${job(name)}:revert`, { method: 'POST', body: { generation: revertsTo, checkVersion: updatedVersion } }));
}

/** A task is evicted in its scheduler's name, which then places its next attempt. */
export function restartTask(task, scheduler) {
  confirmed(`restart ${task.task}`, `Attempt ${task.attempt} on ${task.machine} is stopped, and ${scheduler} places the next one.`, [],
    async () => {
      const outcome = await ask('/v1/transactions', { method: 'POST', body: {
        id: `page-${Date.now()}-${task.attempt}`, scheduler, evictions: [{ task: task.task, attempt: task.attempt }] } });
      const refused = outcome.reason ?? outcome.results?.find(result => !result.accepted)?.reason;
      if (refused) {
        throw new Error(`The cell refused it: ${refused}`);
      }
    });
}

export function readyMachine(name) {
  confirmed(`make ${name} ready`, 'Tasks may be placed on it again.', [],
    () => ask(`/v1/machines/${encodeURIComponent(name)}:ready`, { method: 'POST', body: {} }));
}
