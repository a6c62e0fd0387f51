package dev.cella.state.web.service;

import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.Decision;
import dev.cella.client.proto.ItemKind;
import dev.cella.client.proto.ItemResult;
import dev.cella.client.proto.TransactionOutcome;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.client.proto.Winner;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;

/** The outcome of a transaction, in the names of its request. */
final class NamedOutcome {
    private NamedOutcome() {}

    static TransactionOutcome of(CellView view, TransactionRequest request, Outcome outcome) {
        TransactionOutcome.Builder answer = TransactionOutcome.newBuilder()
                .setId(outcome.id().text())
                .setVersion(outcome.version().number())
                .setOutcome(Decision.valueOf("DECISION_" + outcome.verdict().name()))
                .setSyncVersion(outcome.syncVersion().number());
        outcome.reason().ifPresent(reason -> answer.setReason(reason.name()));
        for (int place = 0; place < outcome.results().size(); place++) {
            answer.addResults(result(view, request, place, outcome.results().get(place)));
        }
        return answer.build();
    }

    private static ItemResult result(
            CellView view, TransactionRequest request, int place, dev.cella.transactions.model.ItemResult decided) {
        ItemResult.Builder result = item(view, request, place, decided)
                .setAccepted(decided.accepted())
                .setConflict(decided.conflict());
        decided.reason().ifPresent(reason -> result.setReason(reason.name()));
        decided.dimension()
                .ifPresent(dimension -> result.setDimension(view.dimensions().nameAt(dimension))
                        .setAsked(decided.asked())
                        .setFree(decided.free()));
        decided.felledBy().ifPresent(result::setFelledBy);
        decided.winner().ifPresent(winner -> result.setWinner(winner(winner)));
        return result.build();
    }

    /** The item of the request at that place: claims, evictions, holds, steps, scales. */
    private static ItemResult.Builder item(
            CellView view, TransactionRequest request, int place, dev.cella.transactions.model.ItemResult decided) {
        int eviction = place - request.getClaimsCount();
        int hold = eviction - request.getEvictionsCount();
        int step = hold - request.getHoldsCount();
        ItemResult.Builder item = ItemResult.newBuilder().setKind(ItemKind.valueOf("ITEM_KIND_" + decided.kind()));
        switch (decided.kind()) {
            case CLAIM -> {
                ClaimRequest claim = request.getClaims(place);
                item.setTask(claim.getTask()).setMachine(machine(view, claim, decided));
            }
            case EVICTION -> {
                item.setTask(request.getEvictions(eviction).getTask());
                decided.machine().ifPresent(slot -> item.setMachine(view.machineName(slot)));
            }
            case HOLD -> item.setMachine(request.getHolds(hold).getMachine());
            case STEP -> item.setTask(request.getSteps(step).getTask());
            case SCALE -> {}
        }
        return item;
    }

    private static Winner winner(Origin origin) {
        return Winner.newBuilder()
                .setTransaction(origin.transaction().text())
                .setScheduler(origin.scheduler())
                .setVersion(origin.version())
                .build();
    }

    /** Uses the requested names where possible: the slot in a kept outcome may have another machine by now. */
    private static String machine(CellView view, ClaimRequest claim, dev.cella.transactions.model.ItemResult decided) {
        return claim.getAlternatesCount() == 0 || decided.machine().isEmpty()
                ? claim.getMachine()
                : view.machineName(decided.machine().getAsInt());
    }
}
