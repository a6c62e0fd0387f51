package dev.cella.state.web.http;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpStatus;

/**
 * The answer of a call: the message and its HTTP status.
 *
 * @param <A> the type of the message
 */
public record Answer<A extends Message>(HttpStatus status, A message) {
    public static <A extends Message> Answer<A> ok(A message) {
        return new Answer<>(HttpStatus.OK, message);
    }

    /** The same status with another message. */
    public Answer<A> with(A other) {
        return new Answer<>(status, other);
    }

    public static <A extends Message> Answer<A> created(A message) {
        return new Answer<>(HttpStatus.CREATED, message);
    }
}
