package dev.cella.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A run of a bench, kept as the JSON that the bench printed.
 *
 * @param file its name, for messages
 */
public record KeptRun(String file, JsonNode data) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A slower read says that the machine is slower than usual. With reads of 213 to 218 ns, {@code cella bench record} took three times
     * its usual CPU time; with 125 to 154 ns, 1.2 times.
     */
    static final int READ_NANOS_MAX = 120;

    /**
     * The same of a slower sort. While it took 350 to 360 us, plain arithmetic took 1.35 times its usual time, although a read took
     * 54 ns.
     */
    static final int SORT_MICROS_MAX = 320;

    /** All runs in a folder, in the order of their files' names. */
    public static List<KeptRun> readAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> kept = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            return kept.stream().map(KeptRun::read).toList();
        }
    }

    private static KeptRun read(Path file) {
        try {
            return parse(file.getFileName().toString(), Files.readString(file));
        } catch (IOException unreadable) {
            throw new UnreadableRunException(file + " cannot be read");
        }
    }

    /** Reads what a bench printed with {@code --json}. */
    static KeptRun parse(String file, String json) {
        try {
            JsonNode data = JSON.readTree(json);
            if (!data.path("bench").isTextual()) {
                throw new UnreadableRunException(file + " has no field bench: it is no run of a bench");
            }
            return new KeptRun(file, data);
        } catch (JsonProcessingException malformed) {
            throw new UnreadableRunException(file + " is no JSON: " + malformed.getOriginalMessage());
        }
    }

    String bench() {
        return data.path("bench").asText();
    }

    /** The commit of the source that ran; empty if it is not known. */
    String commit() {
        return data.path("commit").asText();
    }

    /** With its time. */
    String date() {
        return data.path("date").asText();
    }

    String day() {
        return date().split("T", -1)[0];
    }

    /** A number of the run itself, such as the load before it; nothing if it is not known. */
    Optional<Double> fact(String name) {
        return data.has(name) ? Optional.of(data.path(name).asDouble()) : Optional.empty();
    }

    /** Also false if the run does not say it. */
    boolean isOfSlowMachine() {
        return isAbove(READ_NANOS_MAX, "readNanos") || isAbove(SORT_MICROS_MAX, "sortMicros");
    }

    private boolean isAbove(int limit, String name) {
        return fact(name).filter(time -> time > limit).isPresent();
    }

    /** Says on what it ran, as far as the run says it. */
    String machine() {
        StringBuilder machine = new StringBuilder(data.path("processors").asInt() + " processors");
        if (data.has("memoryMib")) {
            machine.append(", ")
                    .append(Math.round(data.path("memoryMib").asDouble() / 1024))
                    .append(" GiB");
        }
        if (data.has("java")) {
            machine.append(", Java ").append(data.path("java").asText());
        }
        return machine.toString();
    }

    /** Returns whether it was made under these conditions: fields with their values as text. */
    boolean has(Map<String, String> conditions) {
        return conditions.entrySet().stream()
                .allMatch(field -> data.path(field.getKey()).asText().equals(field.getValue()));
    }
}
