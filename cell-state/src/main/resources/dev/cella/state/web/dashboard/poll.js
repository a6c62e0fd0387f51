// What a view shows is asked for again and again: one rule for how often, and for when that ends.

import { ask, asProblem } from './api.js';

const ASK_MILLIS = 2000;
const TURN_MILLIS_MAX = 20000;

/** Asks for one thing, and for nothing more once the signal has come. */
export const asker = signal => async path => {
  const answer = await ask(path, { signal });
  signal.throwIfAborted();
  return answer;
};

/**
 * Takes a turn now and then every two seconds, but none before the last one has ended. A server that does not answer, or cannot now, is asked
 * again; what it refuses for good ends the poll. A request that hangs ends with its turn, so the next one has another connection.
 */
export class Poll {
  /**
   * @param turn is given what it asks with, which ends with the poll
   * @param refused is given the problem that ended the poll
   * @param waits is given the problem of each turn until one succeeds
   */
  constructor(turn, refused, waits) {
    this.turn = turn;
    this.refused = refused;
    this.waits = waits;
    this.abort = new AbortController();
    this.timer = setInterval(() => this.take(), ASK_MILLIS);
    this.take();
  }

  close() {
    clearInterval(this.timer);
    this.abort.abort();
  }

  async take() {
    if (this.isUnderWay) {
      return;
    }
    this.isUnderWay = true;
    try {
      await this.turn(asker(AbortSignal.any([this.abort.signal, AbortSignal.timeout(TURN_MILLIS_MAX)])));
      this.hasSucceeded = true;
    } catch (failure) {
      if (!this.abort.signal.aborted) {
        this.failed(asProblem(failure));
      }
    } finally {
      this.isUnderWay = false;
    }
  }

  failed(problem) {
    if (!problem.isPassing && problem.status !== 410) { // the next turn begins a list again
      this.close();
      this.refused(problem);
    } else if (!this.hasSucceeded) {
      this.waits(problem);
    }
  }
}
