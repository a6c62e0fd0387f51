package dev.cella.chaos.processes;

import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Member;
import dev.cella.client.proto.ReplaceMemberRequest;
import java.util.List;
import java.util.Optional;

/**
 * The operator of a cell: the call of {@code cella cell replace}. It is repeated until the cell has done it, because a change of
 * the members is refused while another one is under way.
 */
final class ProcessOperator {
    private final HttpCell cell;

    ProcessOperator(CellAddresses addresses) {
        this.cell = new HttpCell(addresses);
    }

    /** Why no member may be taken away now; empty if all are up to date. */
    Optional<String> whyNotNow() {
        try {
            List<String> late = cell.listMembers().getMembersList().stream()
                    .filter(member -> !member.getHealthy())
                    .map(Member::getName)
                    .toList();
            return late.isEmpty() ? Optional.empty() : Optional.of("not up to date: " + String.join(", ", late));
        } catch (CellUnreachable | Problem cannot) {
            return Optional.of("no leader said whether all replicas are up to date: " + cannot.getMessage());
        }
    }

    /** Takes the empty directory of a server in place of the one that is lost. */
    void replace(String name) {
        ClientCalls.untilDone(() -> cell.replaceMember(
                ReplaceMemberRequest.newBuilder().setName(name).build()));
    }
}
