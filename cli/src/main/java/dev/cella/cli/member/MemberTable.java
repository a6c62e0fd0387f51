package dev.cella.cli.member;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.Member;
import dev.cella.client.proto.MemberList;

/** The replicas of a cell as a table. */
final class MemberTable {
    private static final String PREFIX = "MEMBER_ROLE_";

    private MemberTable() {}

    static void print(MemberList members, Terminal terminal) {
        Table table = new Table("NAME", "ROLE", "HEALTHY", ">VERSION", ">ENTRIES BEHIND", "LOG", "ADDRESS");
        for (Member member : members.getMembersList()) {
            table.row(
                    member.getName(),
                    member.getRole().name().substring(PREFIX.length()),
                    member.getHealthy() ? "yes" : "no",
                    member.hasVersion() ? String.valueOf(member.getVersion()) : "",
                    member.getMatchIndexLag(),
                    member.getLog(),
                    member.getAddress());
        }
        table.print(terminal);
    }
}
