// What the schedulers say of themselves, and what the cell counts of their conflicts. Neither is on the feed, which
// carries the cell's rows alone: both are asked for once a second.

import { cell, element, find, headCell, meter, percent, whole } from './page.js';

const WINDOW = '5m';

export async function askSchedulers() {
  const [schedulers, conflicts] = await Promise.all([
    ask('/v1/schedulers'),
    ask(`/v1/conflicts?window=${WINDOW}`),
  ]);
  return { schedulers: schedulers?.schedulers ?? [], matrix: conflicts?.matrix ?? [] };
}

/** Nothing while the cell does not answer: the next second asks again. */
async function ask(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** One row a scheduler; instances that share a name have one each. */
export function drawSchedulers(schedulers) {
  find('#schedulers tbody').replaceChildren(...schedulers.map(drawScheduler));
}

function drawScheduler(scheduler) {
  const name = element('td', { className: 'name', title: `${scheduler.type}, instance ${scheduler.instance}` }, [
    scheduler.name, element('span', { className: 'soft', text: ` ${scheduler.type === scheduler.name ? '' : scheduler.type}` }),
  ]);
  return element('tr', {}, [
    name,
    meter(scheduler.busyFraction, percent(scheduler.busyFraction ?? 0)),
    meter(scheduler.conflictFraction, (scheduler.conflictFraction ?? 0).toFixed(2), 'conflicts'),
    cell(whole(scheduler.claims?.accepted ?? 0), 'number'),
    cell(whole(scheduler.claims?.conflicted ?? 0), 'number'),
    cell(whole(scheduler.queueLength ?? 0), 'number'),
  ]);
}

/** A row for each who lost, a column for each who won; the redder, the more often. */
export function drawMatrix(matrix) {
  const losers = [...new Set(matrix.map(entry => entry.loser))].sort();
  const winners = [...new Set(matrix.map(entry => entry.winner))].sort();
  const most = Math.max(1, ...matrix.map(entry => entry.count));
  const corner = headCell('lost by \\ won by', 'col');
  find('#matrix thead').replaceChildren(element('tr', {}, [corner, ...winners.map(winner => headCell(winner, 'col'))]));
  find('#matrix tbody').replaceChildren(...losers.map(loser => element('tr', {}, [
    headCell(loser, 'row'),
    ...winners.map(winner => drawLosses(matrix.find(entry => entry.loser === loser && entry.winner === winner), most)),
  ])));
}

function drawLosses(entry, most) {
  const losses = cell(entry ? whole(entry.count) : '');
  losses.style.setProperty('--heat', entry ? entry.count / most : 0);
  return losses;
}
