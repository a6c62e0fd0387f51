// The scrubber: the cell as it was at a version that is still kept, with a lane of faults, drains and leaders.

import { ask } from './api.js';
import { cellAt } from './cell.js';
import { ago, button, element, whole } from './page.js';

const LOAD_MILLIS = 250;
const PLAY_MILLIS = 700;
const PLAY_STEPS = 60;

export class Time {
  /** @param show is given a cell of the past, or nothing for the present */
  constructor(live, show) {
    this.live = live;
    this.show = show;
    this.range = element('input', { type: 'range', min: 0, max: 0, value: 0, aria: { label: 'version of the cell' } });
    this.said = element('output', { text: 'now' });
    this.marks = element('div', { className: 'marks', aria: { role: 'list', label: 'faults, drains and leaders' } });
    this.playing = button('play', () => this.play());
    this.root = element('div', { className: 'scrubber' }, [
      this.playing, button('conflict before', () => this.step(-1)), button('next conflict', () => this.step(1)),
      element('div', { className: 'rail' }, [this.range, this.marks]), this.said, button('now', () => this.toNow())]);
    this.range.addEventListener('input', () => this.wanted(Number(this.range.value)));
    this.root.hidden = true;
  }

  toggle() {
    this.root.hidden = !this.root.hidden;
    if (this.root.hidden) {
      this.toNow();
    } else {
      this.bounds();
      this.loadMarks();
    }
  }

  bounds() {
    this.range.min = this.live.feedKeptFromVersion ?? 0;
    this.range.max = this.live.version;
    if (!this.version) {
      this.range.value = this.live.version;
    }
  }

  async loadMarks() {
    try {
      const { marks } = await ask('/v1/timeline');
      const from = Number(this.range.min);
      const span = Math.max(1, Number(this.range.max) - from);
      this.marks.replaceChildren(...marks.filter(mark => mark.version >= from && !mark.mark.startsWith('MACHINE_REGISTERED')).slice(-300).map(mark => {
        const made = button('', () => this.go(Math.max(from, mark.version - 1)), {
          className: mark.mark.toLowerCase(), title: `${mark.mark.toLowerCase().replaceAll('_', ' ')} ${mark.name} at ${whole(mark.version)}` });
        made.setAttribute('aria-label', made.title);
        made.style.left = `${(mark.version - from) / span * 100}%`;
        return made;
      }));
    } catch {
      this.marks.replaceChildren();
    }
  }

  /** Loading a version takes a moment, so only the last one asked for is loaded. */
  wanted(version) {
    this.said.textContent = `version ${whole(version)}`;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.go(version), LOAD_MILLIS);
  }

  async go(version) {
    if (this.root.hidden) {
      this.root.hidden = false;
      this.loadMarks();
    }
    this.bounds();
    this.version = version;
    this.range.value = version;
    try {
      const past = await cellAt(version, this.live);
      if (this.version === version) {
        this.said.textContent = `version ${whole(version)}${this.when(version)}`;
        this.show(past);
      }
    } catch (problem) {
      this.pause();
      this.said.textContent = `${problem.message}.`;
      this.version = undefined;
      this.show(undefined);
    }
  }

  when(version) {
    const point = (this.live.series.get('pending')?.points ?? []).findLast(each => each.version <= version);
    return point ? `, ${ago(point.at)}` : '';
  }

  play() {
    if (this.player) {
      this.pause();
      return;
    }
    this.playing.textContent = 'pause';
    const pace = Math.max(1, Math.round((this.live.version - Number(this.range.min)) / PLAY_STEPS));
    this.player = setInterval(() => {
      const next = (this.version ?? Number(this.range.min)) + pace;
      if (next >= this.live.version) {
        this.toNow();
      } else {
        this.go(next);
      }
    }, PLAY_MILLIS);
  }

  pause() {
    clearInterval(this.player);
    this.player = undefined;
    this.playing.textContent = 'play';
  }

  /** To the conflict before or after the version that is shown. */
  async step(direction) {
    this.pause();
    const here = this.version ?? this.live.version;
    const asked = direction < 0 ? `to=${here - 1}&limit=1` : `from=${here + 1}&limit=1000`;
    const { conflicts } = await ask(`/v1/conflicts/ledger?${asked}`).catch(() => ({ conflicts: [] }));
    const found = direction < 0 ? conflicts[0] : conflicts.at(-1);
    if (found) {
      await this.go(found.version);
      this.said.textContent += `: ${found.loser.scheduler} lost ${found.task} on ${found.machine ?? '-'} to ${found.winner?.scheduler ?? '-'}`;
    } else {
      this.said.textContent = 'no conflict there is kept';
    }
  }

  toNow() {
    this.pause();
    this.version = undefined;
    this.range.value = this.range.max;
    this.said.textContent = 'now';
    this.show(undefined);
  }
}
