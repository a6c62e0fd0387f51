// The scrubber: the cell as it was at a version that is still kept, with a lane of faults, drains and leaders.

import { ask } from './api.js';
import { cellAt } from './cell.js';
import { ago, button, element, whole } from './page.js';

const LOAD_MILLIS = 250;
const PLAY_MILLIS = 700;
const PLAY_STEPS = 60;
const STRETCH = 100;

const ledger = asked => ask(`/v1/conflicts/ledger?${asked}`);

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
    this.loading?.abort();
    const loading = new AbortController();
    this.loading = loading;
    try {
      const past = await cellAt(version, this.live, loading.signal);
      this.said.textContent = `version ${whole(version)}${this.when(version)}`;
      this.show(past);
    } catch (problem) {
      if (!loading.signal.aborted) {
        this.pause();
        this.said.textContent = `${problem.message}.`;
        this.version = undefined;
        this.show(undefined);
      }
    }
  }

  when(version) {
    const point = (this.live.series.get('pending')?.points ?? []).findLast(each => each.version <= version);
    return point ? `, ${ago(point.at)}` : '';
  }

  /** A step waits until the one before is shown, so a slow cell plays slowly and leaves nothing out. */
  async play() {
    if (this.player) {
      this.pause();
      return;
    }
    const player = {};
    this.player = player;
    this.playing.textContent = 'pause';
    const pace = Math.max(1, Math.round((this.live.version - Number(this.range.min)) / PLAY_STEPS));
    while (this.player === player) {
      const next = (this.version ?? Number(this.range.min)) + pace;
      if (next >= this.live.version) {
        this.toNow();
      } else {
        await Promise.all([this.go(next), new Promise(shown => setTimeout(shown, PLAY_MILLIS))]);
      }
    }
  }

  pause() {
    this.player = undefined;
    this.playing.textContent = 'play';
  }

  /** To the conflict before or after the version that is shown. */
  async step(direction) {
    this.pause();
    // The newest version is before now.
    const here = this.version ?? Number(this.live.version) + 1;
    try {
      const found = await (direction < 0 ? this.before(here) : this.after(here));
      if (found) {
        await this.goTo(found);
      } else {
        this.said.textContent = 'no conflict there is kept';
      }
    } catch (problem) {
      this.said.textContent = `${problem.message}.`;
    }
  }

  async goTo({ version, loser, winner, task, machine }) {
    await this.go(version);
    if (this.version === version) {
      this.said.textContent += `: ${loser.scheduler} lost ${task} on ${machine ?? '-'} to ${winner?.scheduler ?? '-'}`;
    }
  }

  async before(version) {
    return (await ledger(`to=${version - 1}&limit=1`)).conflicts[0];
  }

  /** The ledger begins with the newest, so ever longer stretches after the version are asked for their oldest. */
  async after(version) {
    for (let stretch = STRETCH; ; stretch *= 8) {
      const asked = `from=${version + 1}&to=${version + stretch}&limit=1000`;
      let page = await ledger(asked);
      while (page.nextPageToken) {
        page = await ledger(`${asked}&pageToken=${encodeURIComponent(page.nextPageToken)}`);
      }
      if (page.conflicts.length > 0 || version + stretch >= this.live.version) {
        return page.conflicts.at(-1);
      }
    }
  }

  toNow() {
    this.pause();
    clearTimeout(this.timer);
    this.loading?.abort();
    this.version = undefined;
    this.range.value = this.range.max;
    this.said.textContent = 'now';
    this.show(undefined);
  }
}
