package dev.cella.client.live;

import dev.cella.transactions.model.SessionId;

/** Receives the events of a session, on the thread that owns its keeper. */
public interface SessionListener {
    /** The session is open from now on. An earlier session has ended. */
    void opened(SessionId session);

    /** Another instance has taken over, and the cell refuses the commits of this one. No other event follows. */
    void fenced(String why);
}
