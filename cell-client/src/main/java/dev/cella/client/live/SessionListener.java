package dev.cella.client.live;

import dev.cella.transactions.model.SessionId;

/** Hears what becomes of a session, on the thread that owns its keeper. */
public interface SessionListener {
    /** The session is open from now on; one before it, if there was one, is no more. */
    void opened(SessionId session);

    /** Another instance has taken over: nothing that this one commits counts any more. The last that is heard. */
    void fenced(String why);
}
