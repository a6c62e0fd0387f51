package dev.cella.client.http;

import java.util.Optional;

/**
 * One event of the feed.
 *
 * @param id the version that it shows, if any
 * @param event snapshot, change, heartbeat or resync
 * @param data its JSON
 */
public record FeedEvent(Optional<String> id, String event, String data) {

    /** Collects the lines of an event. */
    static final class Builder {
        private Optional<String> id = Optional.empty();
        private String event = "message";
        private final StringBuilder data = new StringBuilder();
        private boolean started;

        /** Takes one line. A line without a name is a comment, which servers send to keep a connection open. */
        void add(String line) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            String bare = value.startsWith(" ") ? value.substring(1) : value;
            switch (name) {
                case "id" -> id = Optional.of(bare);
                case "event" -> event = bare;
                case "data" -> data.append(data.length() == 0 ? "" : "\n").append(bare);
                default -> {
                    return;
                }
            }
            started = true;
        }

        boolean isStarted() {
            return started;
        }

        FeedEvent build() {
            return new FeedEvent(id, event, data.toString());
        }
    }
}
