package dev.cella.state.web.http;

import com.linecorp.armeria.common.QueryParams;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import java.util.List;
import java.util.Optional;

/**
 * The format of a read's answer: {@code ?format=json} or {@code ?format=csv}. Every read has these parameters; they are part
 * of no request message.
 *
 * @param table the list of the answer to write as CSV
 */
record AnswerFormat(boolean isCsv, Optional<String> table) {
    static final AnswerFormat JSON = new AnswerFormat(false, Optional.empty());

    private static final String FORMAT = "format";
    private static final String TABLE = "table";

    static AnswerFormat of(QueryParams query) {
        String format = query.get(FORMAT, "json");
        if (!format.equals("json") && !format.equals("csv")) {
            throw Problem.badRequest(List.of(Fault.of(FORMAT, "must be json or csv, is " + format)));
        }
        return new AnswerFormat(format.equals("csv"), Optional.ofNullable(query.get(TABLE)));
    }

    /** The other parameters, for the request. */
    static QueryParams rest(QueryParams query) {
        return query.withMutations(all -> {
            all.remove(FORMAT);
            all.remove(TABLE);
        });
    }
}
