// How the page asks the server: with the token that the user gave, and with an answer or a problem that can be shown.

const TOKEN = 'cella-token';

/** The token in the address, as in `/#token=T`, which leaves the address and the history; empty if there is none that can be read. */
export function tokenOfAddress() {
  const given = /^#token=(.*)$/.exec(location.hash);
  if (!given) {
    return '';
  }
  history.replaceState(null, '', location.pathname);
  try {
    return decodeURIComponent(given[1]);
  } catch {
    return '';
  }
}

/** This token is for this tab alone, in the place of the cookie's. Other characters are in no token, and some of them in no header. */
export function setToken(token) {
  if (/^[\w.-]*$/.test(token)) {
    sessionStorage.setItem(TOKEN, token);
  }
}

/** From now on this tab uses the cookie. */
export const forgetToken = () => sessionStorage.removeItem(TOKEN);

export const hasToken = () => Boolean(sessionStorage.getItem(TOKEN));

export function headers(more = {}) {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

/** What the server says against a request (RFC 9457), or that it does not answer. */
export class Problem extends Error {
  constructor(status, { title = 'The server does not answer', detail = '', hint = '', errors = [] } = {}) {
    super(errors.length > 0 ? errors.map(error => `${error.path}: ${error.message}`).join('; ') : detail || title); // the detail is the first error
    this.status = status;
    this.title = title;
    this.hint = hint;
  }

  /** Whether the same request may succeed later: no answer, too many requests, or a server that cannot now. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** A request that failed without an answer, or with a part of one. */
export const asProblem = failure => failure instanceof Problem ? failure : new Problem(0);

/** An answer that breaks off is none. */
export async function ask(path, { method = 'GET', body, signal } = {}) {
  try {
    const answer = await fetch(path, {
      method, signal,
      headers: headers(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) {
      throw new Problem(answer.status, await answer.json().catch(() => ({})));
    }
    return await answer.json();
  } catch (failure) {
    throw failure.name === 'AbortError' ? failure : asProblem(failure);
  }
}

/** The text of an answer as it comes, piece by piece, until it ends or is aborted. */
export async function stream(path, signal, take) {
  const answer = await fetch(path, { headers: headers(), signal });
  if (!answer.ok) {
    throw new Problem(answer.status, await answer.json().catch(() => ({})));
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    take(piece.value);
  }
}

/**
 * Server-sent events, which a browser's own reader could not ask for with a token. A large event comes in many pieces, so each piece is
 * looked at once.
 */
export async function events(path, signal, take) {
  let parts = [];
  const end = () => {
    const event = { name: '', data: '' };
    for (const line of parts.join('').split('\n')) {
      if (line.startsWith('event: ')) {
        event.name = line.slice(7);
      } else if (line.startsWith('data: ')) {
        event.data = line.slice(6);
      }
    }
    parts = [];
    take(event.name, JSON.parse(event.data || '{}'));
  };
  await stream(path, signal, piece => {
    let from = 0;
    if (piece.startsWith('\n') && parts.at(-1)?.endsWith('\n')) {
      end();
      from = 1;
    }
    for (let to = piece.indexOf('\n\n', from); to >= 0; to = piece.indexOf('\n\n', from)) {
      parts.push(piece.slice(from, to));
      end();
      from = to + 2;
    }
    if (from < piece.length) {
      parts.push(piece.slice(from));
    }
  });
}

/** An address with those of the parameters that say something. */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '')
    .forEach(([name, value]) => query.set(name, value));
  return query.size > 0 ? `${path}?${query}` : path;
}

export const part = name => encodeURIComponent(name);
