package dev.cella.cli.access;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.AuditList;
import dev.cella.client.proto.AuditRow;
import dev.cella.client.proto.ListAuditRequest;
import java.util.ArrayList;
import java.util.List;

/** The newest rows of the audit, as many as the request's limit. Each read asks only for the rows after those read before. */
final class AuditTail {
    private final HttpCell cell;
    private final ListAuditRequest request;
    private AuditList newest = AuditList.getDefaultInstance();

    AuditTail(HttpCell cell, ListAuditRequest request) {
        this.cell = cell;
        this.request = request;
    }

    AuditList read() {
        AuditList next;
        do {
            next = cell.listAudit(request.toBuilder().setAfter(seen()).build());
            newest = joined(next);
        } while (next.getAuditCount() == request.getLimit());
        return newest;
    }

    private long seen() {
        int rows = newest.getAuditCount();
        return rows == 0 ? request.getAfter() : newest.getAudit(rows - 1).getVersion();
    }

    private AuditList joined(AuditList next) {
        List<AuditRow> rows = new ArrayList<>(newest.getAuditList());
        rows.addAll(next.getAuditList());
        int surplus = Math.max(0, rows.size() - request.getLimit());
        return next.toBuilder()
                .clearAudit()
                .addAllAudit(rows.subList(surplus, rows.size()))
                .build();
    }
}
