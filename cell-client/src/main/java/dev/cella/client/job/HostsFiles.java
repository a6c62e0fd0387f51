package dev.cella.client.job;

import dev.cella.client.proto.Group;
import java.util.stream.Stream;

/** Determines which groups get a file of the hosts and ports of all their tasks. */
public final class HostsFiles {
    private HostsFiles() {}

    /** Gangs get one, and groups with {@code ${hostsFile}} in an argument. */
    public static boolean isWanted(Group group) {
        Stream<String> arguments =
                Stream.concat(group.getRun().getCommandList().stream(), group.getCheck().getCommandList().stream());
        return group.hasGang()
                || arguments.anyMatch(argument ->
                        ArgumentTemplate.parse(argument).placeholders().contains(ArgumentTemplate.HOSTS_FILE));
    }
}
