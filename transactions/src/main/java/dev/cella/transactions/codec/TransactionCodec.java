package dev.cella.transactions.codec;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.OptionalInt;

/**
 * Transactions as bytes. A table of references holds what tasks have in common (job, group, generation). A claim is then a
 * reference if it changes, the distance from the previous index, and a machine's slot: three to six bytes.
 */
public final class TransactionCodec {
    private static final int SEES_OWN = 1;
    private static final int HAS_SESSION = 2;
    private static final int HAS_ALTERNATES = 4;
    private static final int SAYS_AMOUNTS = 8;
    private static final int ASKED_IN_NAMES = 16;
    private static final int HAS_SCALES = 32;
    private static final int HAS_PROGRESS = 64;
    private static final int HAS_OFFERS = 128;

    /** Stands in the byte of the atomicity, because the flags have no bit left. */
    private static final int SAYS_KINDS = 64;

    /** Stands there too: each scale says the count that it expects. */
    private static final int SAYS_EXPECTED = 32;

    public static byte[] encode(Transaction transaction) {
        ByteWriter out = new ByteWriter();
        write(out, transaction);
        return out.toBytes();
    }

    public static Transaction decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Transaction transaction = read(in);
        in.expectEnd("the transaction");
        return transaction;
    }

    static void write(ByteWriter out, Transaction transaction) {
        out.writeText(transaction.id().text());
        out.writeText(transaction.scheduler());
        int flags = flags(transaction);
        out.writeByte(flags);
        transaction.session().ifPresent(session -> out.writeVarint(session.version()));
        transaction.askedInNames().ifPresent(out::writeFixedLong);
        out.writeFixedLong(transaction.incarnation().number());
        out.writeVarint(transaction.basis().number());
        out.writeSigned(
                transaction.machinesAsOf().number() - transaction.basis().number());
        out.writeByte(EnumCodec.ATOMICITY.code(transaction.atomicity())
                | (transaction.saysKinds() ? SAYS_KINDS : 0)
                | (transaction.saysExpected() ? SAYS_EXPECTED : 0));
        EnumCodec.CONFLICT_RULE.write(out, transaction.conflictRule());
        out.writeVarint(transaction.minClaims());
        writeReferences(out, transaction);
        writeClaims(out, transaction, flags);
        writeOthers(out, transaction);
        writeScales(out, transaction);
        if ((flags & HAS_OFFERS) != 0) {
            writeOffers(out, transaction);
        }
    }

    private static void writeOffers(ByteWriter out, Transaction transaction) {
        out.writeVarint(transaction.offers().size());
        transaction.offers().forEach(offer -> ValueCodec.writeOffer(out, offer));
        out.writeBoolean(transaction.keepsOffers());
        out.writeVarint(transaction.rescinds().size());
        transaction.rescinds().forEach(offer -> ValueCodec.writeOffer(out, offer));
    }

    private static boolean hasOffers(Transaction transaction) {
        return !transaction.offers().isEmpty()
                || transaction.keepsOffers()
                || !transaction.rescinds().isEmpty();
    }

    private static void readOffers(ByteReader in, Transaction.Builder builder) {
        for (int count = in.readCount(2); count > 0; count--) {
            builder.offer(ValueCodec.readOffer(in));
        }
        builder.keepsOffers(in.readBoolean());
        for (int count = in.readCount(2); count > 0; count--) {
            builder.rescind(ValueCodec.readOffer(in));
        }
    }

    private static int flags(Transaction transaction) {
        boolean alternates = false;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            alternates |= transaction.alternates(claim) > 0;
        }
        return (transaction.seesOwn() ? SEES_OWN : 0)
                | (transaction.session().isPresent() ? HAS_SESSION : 0)
                | (alternates ? HAS_ALTERNATES : 0)
                | (transaction.saysAmounts() ? SAYS_AMOUNTS : 0)
                | (transaction.askedInNames().isPresent() ? ASKED_IN_NAMES : 0)
                | (transaction.scales().isEmpty() ? 0 : HAS_SCALES)
                | (transaction.progress().isEmpty() ? 0 : HAS_PROGRESS)
                | (hasOffers(transaction) ? HAS_OFFERS : 0);
    }

    private static void writeReferences(ByteWriter out, Transaction transaction) {
        out.writeVarint(transaction.references());
        for (int reference = 0; reference < transaction.references(); reference++) {
            out.writeVarint(transaction.referenceJob(reference));
            out.writeVarint(transaction.referenceGroup(reference));
            out.writeVarint(transaction.referenceGeneration(reference));
        }
    }

    private static void writeClaims(ByteWriter out, Transaction transaction, int flags) {
        out.writeVarint(transaction.claims());
        int index = 0;
        for (int claim = 0; claim < transaction.claims(); claim++) {
            if (transaction.references() > 1) {
                out.writeVarint(transaction.reference(claim));
            }
            out.writeSigned(transaction.index(claim) - index);
            index = transaction.index(claim);
            out.writeVarint(transaction.machine(claim));
            if ((flags & HAS_ALTERNATES) != 0) {
                writeAlternates(out, transaction, claim);
            }
            if ((flags & SAYS_AMOUNTS) != 0) {
                ValueCodec.writeAmounts(out, transaction.amounts(claim).orElse(Amounts.NONE));
            }
            if (transaction.saysKinds()) {
                EnumCodec.CLAIM_KIND.write(out, transaction.kind(claim));
            }
        }
    }

    private static void writeAlternates(ByteWriter out, Transaction transaction, int claim) {
        out.writeVarint(transaction.alternates(claim));
        for (int place = 0; place < transaction.alternates(claim); place++) {
            out.writeVarint(transaction.alternate(claim, place));
        }
    }

    private static void writeOthers(ByteWriter out, Transaction transaction) {
        out.writeVarint(transaction.evictions().size());
        for (Eviction eviction : transaction.evictions()) {
            ValueCodec.writeTask(out, eviction.task());
            out.writeVarint(eviction.attempt());
            out.writeVarint(eviction.forClaim().orElse(-1) + 1L);
        }
        out.writeVarint(transaction.holds().size());
        for (HoldRequest hold : transaction.holds()) {
            out.writeVarint(hold.jobVersion());
            if (hold.isOffer()) {
                out.writeVarint(hold.sessionVersion());
            }
            out.writeVarint(hold.machine());
            ValueCodec.writeAmounts(out, hold.amounts());
            out.writeVarint(hold.expiresAfterMillis());
        }
        out.writeVarint(transaction.steps().size());
        for (Step step : transaction.steps()) {
            EnumCodec.STEP_KIND.write(out, step.kind());
            ValueCodec.writeTask(out, step.task());
            out.writeVarint(step.attempt());
        }
    }

    private static void writeScales(ByteWriter out, Transaction transaction) {
        if (!transaction.scales().isEmpty()) {
            out.writeVarint(transaction.scales().size());
            for (Scale scale : transaction.scales()) {
                out.writeVarint(scale.job().version());
                out.writeVarint(scale.group());
                out.writeVarint(scale.generation());
                out.writeVarint(scale.count());
                if (transaction.saysExpected()) {
                    out.writeVarint(
                            scale.expected().isPresent() ? 1 + scale.expected().getAsInt() : 0);
                }
            }
        }
        if (!transaction.progress().isEmpty()) {
            out.writeVarint(transaction.progress().size());
            transaction.progress().forEach((job, progress) -> {
                out.writeVarint(job.version());
                ValueCodec.writeProgress(out, progress);
            });
        }
    }

    static Transaction read(ByteReader in) {
        Transaction.Builder builder = Transaction.builder(new TransactionId(in.readText()), in.readText());
        int flags = in.readByte();
        builder.seesOwn((flags & SEES_OWN) != 0);
        if ((flags & HAS_SESSION) != 0) {
            builder.session(new SessionId(in.readVarint()));
        }
        if ((flags & ASKED_IN_NAMES) != 0) {
            builder.askedInNames(in.readFixedLong());
        }
        builder.incarnation(new Incarnation(in.readFixedLong()));
        long basis = in.readVarint();
        builder.basis(new CellVersion(basis));
        builder.machinesAsOf(new CellVersion(basis + in.readSigned()));
        int atomicity = in.readByte();
        boolean kinds = (atomicity & SAYS_KINDS) != 0;
        boolean expected = (atomicity & SAYS_EXPECTED) != 0;
        builder.atomicity(EnumCodec.ATOMICITY.of(in, atomicity & ~SAYS_KINDS & ~SAYS_EXPECTED));
        builder.conflictRule(EnumCodec.CONFLICT_RULE.read(in));
        builder.minClaims(in.readInt());
        readClaims(in, builder, flags, kinds);
        readOthers(in, builder);
        readScales(in, builder, flags, expected);
        if ((flags & HAS_OFFERS) != 0) {
            readOffers(in, builder);
        }
        return builder.build();
    }

    private static void readClaims(ByteReader in, Transaction.Builder builder, int flags, boolean kinds) {
        int references = in.readCount(3);
        long[] jobs = new long[references];
        int[] groups = new int[references];
        int[] generations = new int[references];
        for (int reference = 0; reference < references; reference++) {
            jobs[reference] = in.readVarint();
            groups[reference] = in.readInt();
            generations[reference] = in.readInt();
        }
        builder.references(jobs, groups, generations);
        int index = 0;
        int claims = in.readCount(2);
        builder.expectClaims(claims);
        for (int claim = 0; claim < claims; claim++) {
            int reference = references > 1 ? in.readInt() : 0;
            if (reference >= references) {
                throw in.damaged("a claim refers to " + reference + " of " + references);
            }
            index = (int) (index + in.readSigned());
            builder.claimOf(reference, index, in.readInt());
            if ((flags & HAS_ALTERNATES) != 0) {
                readAlternates(in, builder);
            }
            if ((flags & SAYS_AMOUNTS) != 0) {
                builder.amounts(ValueCodec.readAmounts(in));
            }
            if (kinds) {
                builder.kind(EnumCodec.CLAIM_KIND.read(in));
            }
        }
    }

    private static void readAlternates(ByteReader in, Transaction.Builder builder) {
        for (int count = in.readCount(1); count > 0; count--) {
            builder.alternate(in.readInt());
        }
    }

    private static void readOthers(ByteReader in, Transaction.Builder builder) {
        for (int count = in.readCount(5); count > 0; count--) {
            builder.evict(new Eviction(ValueCodec.readTask(in), in.readInt(), readOptional(in)));
        }
        for (int count = in.readCount(4); count > 0; count--) {
            long job = in.readVarint();
            builder.hold(new HoldRequest(
                    job, job == 0 ? in.readVarint() : 0, in.readInt(), ValueCodec.readAmounts(in), in.readVarint()));
        }
        for (int count = in.readCount(5); count > 0; count--) {
            builder.step(new Step(EnumCodec.STEP_KIND.read(in), ValueCodec.readTask(in), in.readInt()));
        }
    }

    private static void readScales(ByteReader in, Transaction.Builder builder, int flags, boolean expected) {
        for (int count = (flags & HAS_SCALES) == 0 ? 0 : in.readCount(4); count > 0; count--) {
            builder.scale(new Scale(
                    new JobId(in.readVarint()),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    expected ? readOptional(in) : OptionalInt.empty()));
        }
        for (int count = (flags & HAS_PROGRESS) == 0 ? 0 : in.readCount(2); count > 0; count--) {
            builder.progress(new JobId(in.readVarint()), ValueCodec.readProgress(in));
        }
    }

    private static OptionalInt readOptional(ByteReader in) {
        int number = in.readInt();
        return number == 0 ? OptionalInt.empty() : OptionalInt.of(number - 1);
    }

    private TransactionCodec() {}
}
