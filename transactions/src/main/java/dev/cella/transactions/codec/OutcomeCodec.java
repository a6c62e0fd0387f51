package dev.cella.transactions.codec;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Outcomes as bytes: the kept form that answers a retry, and the answers on a stream of transactions. */
public final class OutcomeCodec {
    public static byte[] encode(Outcome outcome) {
        ByteWriter out = new ByteWriter();
        write(out, outcome);
        return out.toBytes();
    }

    public static void write(ByteWriter out, Outcome outcome) {
        out.writeText(outcome.id().text());
        out.writeVarint(outcome.version().number());
        EnumCodec.VERDICT.write(out, outcome.verdict());
        writeReason(out, outcome.reason());
        out.writeVarint(outcome.syncVersion().number());
        out.writeVarint(outcome.items());
        for (int item = 0; item < outcome.items(); item++) {
            if (outcome.isPlaced(item)) {
                writePlaced(out, outcome.slot(item));
            } else {
                writeResult(out, outcome.result(item));
            }
        }
    }

    /** Writes an accepted claim exactly as {@link #writeResult} does. Nearly all items are accepted claims. */
    private static void writePlaced(ByteWriter out, int slot) {
        EnumCodec.ITEM_KIND.write(out, ItemKind.CLAIM);
        out.writeVarint(slot + 1L);
        out.writeBoolean(false);
    }

    public static Outcome decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Outcome outcome = new Outcome(
                new TransactionId(in.readText()),
                new CellVersion(in.readVarint()),
                EnumCodec.VERDICT.read(in),
                readReason(in),
                new CellVersion(in.readVarint()),
                readResults(in));
        in.expectEnd("the outcome");
        return outcome;
    }

    private static List<ItemResult> readResults(ByteReader in) {
        List<ItemResult> results = new ArrayList<>();
        for (int count = in.readCount(3); count > 0; count--) {
            results.add(readResult(in));
        }
        return results;
    }

    public static void writeResult(ByteWriter out, ItemResult result) {
        EnumCodec.ITEM_KIND.write(out, result.kind());
        writeOptional(out, result.machine());
        writeReason(out, result.reason());
        if (!result.accepted()) {
            writeRefusal(out, result);
        }
    }

    private static void writeRefusal(ByteWriter out, ItemResult result) {
        out.writeBoolean(result.conflict());
        writeOptional(out, result.dimension());
        out.writeSigned(result.asked());
        out.writeSigned(result.free());
        writeOptional(out, result.felledBy());
        ValueCodec.writeOrigin(out, result.winner().orElse(null));
    }

    public static ItemResult readResult(ByteReader in) {
        ItemKind kind = EnumCodec.ITEM_KIND.read(in);
        OptionalInt machine = readOptional(in);
        Optional<Reason> reason = readReason(in);
        if (reason.isEmpty()) {
            return ItemResult.accepted(kind, machine);
        }
        return new ItemResult(
                kind,
                false,
                in.readBoolean(),
                machine,
                reason,
                readOptional(in),
                in.readSigned(),
                in.readSigned(),
                readOptional(in),
                Optional.ofNullable(ValueCodec.readOrigin(in)));
    }

    private static void writeReason(ByteWriter out, Optional<Reason> reason) {
        out.writeBoolean(reason.isPresent());
        reason.ifPresent(present -> EnumCodec.REASON.write(out, present));
    }

    private static Optional<Reason> readReason(ByteReader in) {
        return in.readBoolean() ? Optional.of(EnumCodec.REASON.read(in)) : Optional.empty();
    }

    /** Zero means empty, so that small numbers take one byte. */
    private static void writeOptional(ByteWriter out, OptionalInt value) {
        out.writeVarint(value.isPresent() ? value.getAsInt() + 1L : 0);
    }

    private static OptionalInt readOptional(ByteReader in) {
        int value = in.readInt();
        return value == 0 ? OptionalInt.empty() : OptionalInt.of(value - 1);
    }

    private OutcomeCodec() {}
}
