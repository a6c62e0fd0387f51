package dev.cella.chaos.processes;

import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.AddMemberRequest;
import dev.cella.client.proto.Member;
import dev.cella.client.proto.MemberRole;
import dev.cella.client.proto.RemoveMemberRequest;
import dev.cella.client.proto.ReplaceMemberRequest;
import java.util.List;
import java.util.Optional;

/**
 * The operator of a cell, who changes its members: the calls of {@code cella cell remove}, {@code add} and {@code replace}. Each
 * is repeated until the cell has done it, because a change is refused while another one is under way.
 */
final class ProcessOperator {
    private final HttpCell cell;

    ProcessOperator(CellAddresses addresses) {
        this.cell = new HttpCell(addresses);
    }

    /** Why no member may be taken away now; empty if all are up to date. */
    Optional<String> whyNotNow() {
        try {
            List<String> late = rows().stream()
                    .filter(member -> !member.getHealthy())
                    .map(Member::getName)
                    .toList();
            return late.isEmpty() ? Optional.empty() : Optional.of("not up to date: " + String.join(", ", late));
        } catch (CellUnreachable | Problem cannot) {
            return Optional.of("no leader said whether all replicas are up to date: " + cannot.getMessage());
        }
    }

    private List<Member> rows() {
        return cell.listMembers().getMembersList();
    }

    /** A replica that waits until the cell takes it is none. */
    private Optional<Member> member(String name) {
        return rows().stream()
                .filter(row -> row.getName().equals(name) && row.getRole() != MemberRole.MEMBER_ROLE_LEARNER)
                .findFirst();
    }

    /** The cell goes on without that member, and its server leaves. */
    Optional<String> remove(String name) {
        return ClientCalls.untilDone(() -> {
            if (member(name).isPresent()) {
                cell.removeMember(RemoveMemberRequest.newBuilder().setName(name).build());
            }
        });
    }

    /**
     * Takes the empty directory of a server: in place of the one that is lost, or as a further member if the cell has removed
     * that one. Answers why the cell did not; empty if it did.
     */
    Optional<String> take(String name, String log, String address) {
        return ClientCalls.untilDone(() -> {
            Optional<Member> known = member(name);
            if (known.isEmpty()) {
                cell.addMember(AddMemberRequest.newBuilder()
                        .setName(name)
                        .setLog(log)
                        .setAddress(address)
                        .build());
            } else if (!known.get().getHealthy()) {
                cell.replaceMember(
                        ReplaceMemberRequest.newBuilder().setName(name).build());
            }
        });
    }
}
