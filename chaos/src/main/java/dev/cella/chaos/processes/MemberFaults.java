package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fault after which a replica is on an empty directory: the operator tells the cell to take it. Only one replica at a time
 * has it, and only while all others are up to date, because the loss of a majority is no fault that a cell survives.
 */
final class MemberFaults {
    private static final int REPLICAS_MIN = 3;
    private static final String NEVER_ASKED = "it was too short";

    private final ProcessCell cell;
    private final ProcessOperator operator;

    MemberFaults(ProcessCell cell) {
        this.cell = cell;
        this.operator = new ProcessOperator(cell.addresses());
    }

    ProcessFault wipe(List<Part> servers) {
        if (areTooFew(servers)) {
            return tooFew(servers);
        }
        Part server = servers.get(0);
        ClientCalls calls = new ClientCalls("operator");
        boolean[] wiped = {false};
        String[] why = {NEVER_ASKED};
        return ProcessFault.on(List.of(server))
                .lasts(millis -> {
                    if (!wiped[0]) {
                        why[0] = operator.whyNotNow().orElse("");
                        wiped[0] = why[0].isEmpty();
                        if (wiped[0]) {
                            server.kill();
                            empty(server.data());
                        }
                    }
                })
                .until(() -> wiped[0])
                .heals(() -> {
                    server.startAgain();
                    calls.end(wiped[0] ? () -> operator.replace(server.name()) : () -> {});
                })
                .isVoid(lasted -> why[0]);
    }

    private boolean areTooFew(List<Part> servers) {
        return servers.isEmpty() || cell.parts(Part.Role.SERVER).size() < REPLICAS_MIN;
    }

    private static ProcessFault tooFew(List<Part> servers) {
        return ProcessFault.impossible(Part.names(servers), "it needs " + REPLICAS_MIN + " replicas");
    }

    private static void empty(Path data) {
        try (Stream<Path> files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder()).forEach(MemberFaults::delete);
        } catch (IOException failure) {
            throw new UncheckedIOException("emptying " + data, failure);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("deleting " + file, failure);
        }
    }
}
