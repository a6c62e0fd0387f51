// The page: follows the feed, asks the schedulers once a second, and draws what has changed a few times a second.

import { Cell, Follower } from './cell.js';
import { drawFeed } from './feed.js';
import { drawJobs } from './jobs.js';
import { MachineMap } from './map.js';
import { find, whole } from './page.js';
import { askSchedulers, drawMatrix, drawSchedulers } from './schedulers.js';

const DRAW_PAUSE_MILLIS = 250;
const ASK_PAUSE_MILLIS = 1000;

const cell = new Cell();
const map = new MachineMap();
let drawDue = 0;

/** However many versions come, the page is drawn so often and no more. */
function drawSoon() {
  drawDue ||= setTimeout(() => {
    drawDue = 0;
    requestAnimationFrame(draw);
  }, DRAW_PAUSE_MILLIS);
}

function draw() {
  drawSummary();
  map.draw(cell);
  drawJobs(cell.jobs);
  drawFeed(cell.events);
}

function drawSummary() {
  const count = state => [...cell.jobs.values()].reduce((sum, job) => sum + job.tasks[state], 0);
  find('#cell-name').textContent = cell.name ?? '';
  find('#version').textContent = whole(cell.version);
  find('#machine-count').textContent = whole(cell.machines.size);
  find('#running').textContent = whole(count('running'));
  find('#pending').textContent = whole(count('pending'));
}

function showConnection(state) {
  const shown = find('#connection');
  if (shown.dataset.state !== state) {
    shown.dataset.state = state;
    shown.textContent = state === 'live' ? 'live' : 'connection lost, trying again';
  }
}

async function drawAsked() {
  const { schedulers, matrix } = await askSchedulers();
  drawSchedulers(schedulers);
  drawMatrix(matrix);
  setTimeout(drawAsked, ASK_PAUSE_MILLIS);
}

new Follower(cell, state => {
  showConnection(state);
  drawSoon();
}).open();
drawAsked();
window.addEventListener('resize', drawSoon);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawSoon);
document.querySelectorAll('input[name=dimension]').forEach(input => input.addEventListener('change', drawSoon));
