package dev.cella.client.live;

import dev.cella.transactions.model.SessionId;

/** Receives the events of a session, on the thread that owns its keeper. */
public interface SessionListener {
    /** The session is open from now on. An earlier session has ended. */
    void opened(SessionId session);

    /** Another instance has taken over: this one's commits no longer count. This is the last event. */
    void fenced(String why);
}
