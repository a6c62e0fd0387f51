package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The faults after which a replica is on an empty directory: its disk was lost, or it was removed from the cell. The operator
 * tells the cell to take it. Only one replica at a time is away, and only while all others are up to date, because the loss of a
 * majority is no fault that a cell survives.
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

    /** The server is killed, and its directory is lost. */
    ProcessFault wipe(List<Part> servers) {
        return absence(servers, new ClientCalls("operator"), (server, fault) -> server.keepDown(fault));
    }

    /** The operator removes the member, its server leaves, and later comes back as a new member. */
    ProcessFault change(List<Part> servers) {
        ClientCalls calls = new ClientCalls("operator");
        return absence(servers, calls, (server, fault) -> calls.soon(() -> operator.remove(server.name())));
    }

    private ProcessFault absence(List<Part> servers, ClientCalls calls, BiConsumer<Part, ProcessFault> leave) {
        if (servers.isEmpty() || cell.parts(Part.Role.SERVER).size() < REPLICAS_MIN) {
            return ProcessFault.impossible(servers, "it needs " + REPLICAS_MIN + " replicas");
        }
        Part server = servers.get(0);
        boolean[] asked = {false};
        boolean[] away = {false};
        String[] why = {NEVER_ASKED};
        AtomicReference<String> notTaken = new AtomicReference<>("the cell did not take it before the run ended");
        ProcessFault fault = ProcessFault.on(List.of(server));
        return fault.lasts(millis -> {
                    if (!asked[0]) {
                        why[0] = operator.whyNotNow().orElse("");
                        asked[0] = why[0].isEmpty();
                        if (asked[0]) {
                            leave.accept(server, fault);
                        }
                    }
                    away[0] |= asked[0] && !server.isAlive();
                })
                .until(() -> away[0])
                .heals(() -> {
                    if (asked[0]) {
                        server.keepDown(fault);
                        empty(server.data());
                        server.startAgain(fault);
                        calls.soon(() ->
                                notTaken.set(operator.take(server.name(), cell.logOf(server), cell.addressOf(server))
                                        .orElse("")));
                    }
                    calls.end(() -> {});
                })
                .healed(calls::isIdle)
                .isVoid(lasted -> asked[0] && !away[0] ? "its server did not leave" : why[0])
                .shows(notTaken::get);
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
