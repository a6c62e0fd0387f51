package dev.cella.transactions.codec;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Token;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The values that commands, changes and snapshots share, as bytes. */
public final class ValueCodec {
    /**
     * Set in the type of a job whose groups have rules beyond the original fields. The rules follow after all groups.
     */
    private static final int HAS_RULES = 0x80;

    /** Set in the number of amounts if members are named. The members follow the amounts. */
    private static final int NAMES_MEMBERS = 64;

    private static final int HAS_RUNNING_MAX = 1;
    private static final int HAS_FAILURES_MAX = 2;
    private static final int WAITS_WHEN_LOST = 4;
    private static final int HAS_GANG = 8;
    private static final int RULES_KNOWN = 15;

    public static void writeAmounts(ByteWriter out, Amounts amounts) {
        out.writeVarint(amounts.size() + (amounts.namesMembers() ? NAMES_MEMBERS : 0));
        for (int place = 0; place < amounts.size(); place++) {
            out.writeVarint(amounts.at(place));
        }
        if (amounts.namesMembers()) {
            writeMembers(out, amounts.members());
        }
    }

    public static Amounts readAmounts(ByteReader in) {
        int size = in.readInt();
        long[] values = new long[size % NAMES_MEMBERS];
        if (values.length > Dimensions.SIZE_MAX || size >= 2 * NAMES_MEMBERS) {
            throw in.damaged("more amounts than there are dimensions: " + size);
        }
        for (int place = 0; place < values.length; place++) {
            values[place] = in.readVarint();
        }
        Amounts amounts = Amounts.of(values);
        return size < NAMES_MEMBERS ? amounts : amounts.naming(readMembers(in));
    }

    /** Writes runs of members, each as the distance from the previous run and the length. */
    private static void writeMembers(ByteWriter out, Members members) {
        out.writeVarint(members.size());
        for (int place = 0; place < members.size(); place++) {
            MemberSet set = members.at(place);
            out.writeVarint(set.runs());
            int end = 0;
            for (int run = 0; run < set.runs(); run++) {
                out.writeVarint(set.first(run) - end);
                out.writeVarint(set.last(run) - set.first(run));
                end = set.last(run);
            }
        }
    }

    private static Members readMembers(ByteReader in) {
        int size = in.readCount(1);
        if (size > Dimensions.SIZE_MAX) {
            throw in.damaged("members of more dimensions than there are: " + size);
        }
        Members members = Members.NONE;
        for (int place = 0; place < size; place++) {
            members = members.with(place, readMemberSet(in));
        }
        return members;
    }

    private static MemberSet readMemberSet(ByteReader in) {
        int[] edges = new int[2 * in.readCount(2)];
        int end = 0;
        for (int edge = 0; edge < edges.length; edge++) {
            end = readMember(in, end);
            edges[edge] = end;
        }
        return MemberSet.ofRuns(edges);
    }

    private static int readMember(ByteReader in, int from) {
        long member = (long) from + in.readInt();
        if (member > MemberSet.MEMBER_MAX) {
            throw in.damaged("a set has no member " + member);
        }
        return (int) member;
    }

    public static void writeLimits(ByteWriter out, Limits limits) {
        out.writeVarint(limits.size());
        for (int place = 0; place < limits.size(); place++) {
            out.writeVarint(limits.at(place) == Limits.UNLIMITED ? 0 : limits.at(place) + 1);
        }
    }

    public static Limits readLimits(ByteReader in) {
        long[] values = new long[in.readCount(1)];
        for (int place = 0; place < values.length; place++) {
            long value = in.readVarint();
            values[place] = value == 0 ? Limits.UNLIMITED : value - 1;
        }
        return Limits.of(values);
    }

    public static void writeRights(ByteWriter out, Rights rights) {
        out.writeVarint(rights.priorityMax());
        out.writeVarint(rights.pools().size());
        rights.pools().forEach(out::writeText);
        out.writeBoolean(rights.holds());
        EnumCodec.EVICTS.write(out, rights.evicts());
    }

    public static Rights readRights(ByteReader in) {
        int priorityMax = in.readInt();
        List<String> pools = new ArrayList<>();
        for (int count = in.readCount(1); count > 0; count--) {
            pools.add(in.readText());
        }
        return new Rights(priorityMax, pools, in.readBoolean(), EnumCodec.EVICTS.read(in));
    }

    public static void writePoolPolicy(ByteWriter out, PoolPolicy policy) {
        out.writeVarint(policy.weight());
        writeAmounts(out, policy.minimum());
        writeLimits(out, policy.limits());
        EnumCodec.POOL_ORDER.write(out, policy.order());
        out.writeVarint(policy.minimumTimeoutMillis());
        out.writeVarint(policy.fairTimeoutMillis());
    }

    public static PoolPolicy readPoolPolicy(ByteReader in) {
        return new PoolPolicy(
                in.readInt(),
                readAmounts(in),
                readLimits(in),
                EnumCodec.POOL_ORDER.read(in),
                in.readVarint(),
                in.readVarint());
    }

    /** Writes rights with all fields, including those for machines and offers. */
    public static void writeRightsOnMachines(ByteWriter out, Rights rights) {
        writeRights(out, rights);
        out.writeBoolean(rights.offers());
        out.writeVarint(rights.machines().size());
        for (MachineRule rule : rights.machines()) {
            out.writeText(rule.attribute());
            EnumCodec.MACHINE_OPERATOR.write(out, rule.operator());
            writeTexts(out, rule.values());
        }
    }

    public static Rights readRightsOnMachines(ByteReader in) {
        Rights plain = readRights(in);
        boolean offers = in.readBoolean();
        List<MachineRule> rules = new ArrayList<>();
        for (int count = in.readCount(3); count > 0; count--) {
            rules.add(new MachineRule(in.readText(), EnumCodec.MACHINE_OPERATOR.read(in), readTexts(in)));
        }
        return new Rights(plain.priorityMax(), plain.pools(), plain.holds(), plain.evicts(), rules, offers);
    }

    /** Writes rights with all fields, including the bound of spare tasks. */
    public static void writeRightsOnSpare(ByteWriter out, Rights rights) {
        writeRightsOnMachines(out, rights);
        out.writeVarint(rights.sparePercentMax());
    }

    public static Rights readRightsOnSpare(ByteReader in) {
        Rights rights = readRightsOnMachines(in);
        return new Rights(
                rights.priorityMax(),
                rights.pools(),
                rights.holds(),
                rights.evicts(),
                rights.machines(),
                rights.offers(),
                in.readInt());
    }

    public static void writeToken(ByteWriter out, Token token) {
        out.writeText(token.name());
        out.writeText(token.hash());
        writeTexts(out, token.scopes());
        writeTexts(out, token.pools());
        out.writeVarint(token.expiresAtMillis());
    }

    private static void writeTexts(ByteWriter out, Collection<String> texts) {
        out.writeVarint(texts.size());
        texts.forEach(out::writeText);
    }

    public static Token readToken(ByteReader in) {
        return new Token(
                in.readText(),
                in.readText(),
                new TreeSet<>(readTexts(in)),
                new TreeSet<>(readTexts(in)),
                in.readVarint());
    }

    private static List<String> readTexts(ByteReader in) {
        List<String> texts = new ArrayList<>();
        for (int count = in.readCount(1); count > 0; count--) {
            texts.add(in.readText());
        }
        return texts;
    }

    public static void writeOffer(ByteWriter out, OfferId offer) {
        out.writeVarint(offer.version());
        out.writeVarint(offer.ordinal());
    }

    public static OfferId readOffer(ByteReader in) {
        return new OfferId(in.readVarint(), in.readInt());
    }

    public static void writeParticipation(ByteWriter out, Participation participation) {
        out.writeText(participation.role());
        out.writeVarint(participation.weight());
        writeAmounts(out, participation.minimumOffer());
    }

    public static Participation readParticipation(ByteReader in) {
        return new Participation(in.readText(), in.readInt(), readAmounts(in));
    }

    public static void writeDimension(ByteWriter out, Dimension dimension) {
        out.writeText(dimension.name());
        EnumCodec.DIMENSION_KIND.write(out, dimension.kind());
    }

    public static Dimension readDimension(ByteReader in) {
        return new Dimension(in.readText(), EnumCodec.DIMENSION_KIND.read(in));
    }

    public static void writeAttributes(ByteWriter out, Map<String, String> attributes) {
        out.writeVarint(attributes.size());
        attributes.forEach((name, value) -> {
            out.writeText(name);
            out.writeText(value);
        });
    }

    public static SortedMap<String, String> readAttributes(ByteReader in) {
        SortedMap<String, String> attributes = new TreeMap<>();
        for (int count = in.readCount(2); count > 0; count--) {
            attributes.put(in.readText(), in.readText());
        }
        return attributes;
    }

    public static void writeAgent(ByteWriter out, @Nullable AgentIdentity agent) {
        out.writeBoolean(agent != null);
        if (agent != null) {
            out.writeText(agent.bootId());
            out.writeText(agent.address());
            out.writeVarint(agent.leaseMillis());
        }
    }

    public static @Nullable AgentIdentity readAgent(ByteReader in) {
        return in.readBoolean() ? new AgentIdentity(in.readText(), in.readText(), in.readVarint()) : null;
    }

    public static void writeHeader(ByteWriter out, JobHeader header) {
        boolean plain = header.isPlain();
        out.writeText(header.name());
        out.writeByte(EnumCodec.JOB_TYPE.code(header.type()) | (plain ? 0 : HAS_RULES));
        out.writeText(header.scheduler());
        out.writeText(header.pool());
        out.writeVarint(header.priority());
        EnumCodec.ATOMICITY.write(out, header.atomicity());
        EnumCodec.CONFLICT_RULE.write(out, header.conflictRule());
        out.writeVarint(header.groups().size());
        header.groups().forEach(group -> writeGroup(out, group));
        if (!plain) {
            header.groups().forEach(group -> writeRules(out, group));
        }
    }

    private static void writeGroup(ByteWriter out, GroupHeader group) {
        out.writeText(group.name());
        out.writeVarint(group.count());
        writeAmounts(out, group.shape());
        out.writeVarint(group.restart().attempts());
        out.writeVarint(group.restart().delayMillis());
        out.writeVarint(group.restart().delayMillisMax());
    }

    private static void writeRules(ByteWriter out, GroupHeader group) {
        out.writeByte((group.runningMax() > 0 ? HAS_RUNNING_MAX : 0)
                | (group.failuresMax() > 0 ? HAS_FAILURES_MAX : 0)
                | (group.onLost() == OnLost.WAIT ? WAITS_WHEN_LOST : 0)
                | (group.gang().isPresent() ? HAS_GANG : 0));
        if (group.runningMax() > 0) {
            out.writeVarint(group.runningMax());
        }
        if (group.failuresMax() > 0) {
            out.writeVarint(group.failuresMax());
        }
        group.gang().ifPresent(gang -> {
            out.writeVarint(gang.min());
            out.writeVarint(gang.holdAfterMillis());
            EnumCodec.GANG_RESTARTS.write(out, gang.restarts());
        });
    }

    public static JobHeader readHeader(ByteReader in) {
        String name = in.readText();
        int type = in.readByte();
        return new JobHeader(
                name,
                EnumCodec.JOB_TYPE.of(in, type & ~HAS_RULES),
                in.readText(),
                in.readText(),
                in.readInt(),
                EnumCodec.ATOMICITY.read(in),
                EnumCodec.CONFLICT_RULE.read(in),
                readGroups(in, (type & HAS_RULES) != 0));
    }

    private static List<GroupHeader> readGroups(ByteReader in, boolean haveRules) {
        List<GroupHeader> groups = new ArrayList<>();
        for (int count = in.readCount(6); count > 0; count--) {
            groups.add(new GroupHeader(in.readText(), in.readInt(), readAmounts(in), readRestart(in)));
        }
        if (haveRules) {
            groups.replaceAll(group -> readRules(in, group));
        }
        return groups;
    }

    private static GroupHeader readRules(ByteReader in, GroupHeader plain) {
        int has = in.readByte();
        if (has > RULES_KNOWN) {
            throw in.damaged("unknown rules of a group: " + has);
        }
        return new GroupHeader(
                plain.name(),
                plain.count(),
                plain.shape(),
                plain.restart(),
                (has & HAS_RUNNING_MAX) == 0 ? 0 : in.readInt(),
                (has & HAS_FAILURES_MAX) == 0 ? 0 : in.readInt(),
                (has & WAITS_WHEN_LOST) == 0 ? OnLost.REPLACE : OnLost.WAIT,
                (has & HAS_GANG) == 0 ? Optional.empty() : Optional.of(readGang(in)));
    }

    private static Gang readGang(ByteReader in) {
        return new Gang(in.readInt(), in.readVarint(), EnumCodec.GANG_RESTARTS.read(in));
    }

    private static Restart readRestart(ByteReader in) {
        return new Restart(in.readInt(), in.readVarint(), in.readVarint());
    }

    public static void writeSpecification(ByteWriter out, Specification specification) {
        out.writeBytes(specification.bytes());
    }

    /** Writes what {@link #writeSpecification} writes before the bytes themselves. */
    public static void writeSpecificationLength(ByteWriter out, Specification specification) {
        out.writeVarint(specification.length());
    }

    public static Specification readSpecification(ByteReader in) {
        return Specification.of(in.readBytes());
    }

    public static void writeProgress(ByteWriter out, Progress progress) {
        out.writeBytes(progress.bytes());
    }

    public static Progress readProgress(ByteReader in) {
        return Progress.of(in.readBytes());
    }

    public static void writeDrain(ByteWriter out, @Nullable Drain drain) {
        out.writeBoolean(drain != null);
        if (drain != null) {
            out.writeVarint(drain.deadline().millis());
            EnumCodec.BATCH_TASKS.write(out, drain.batch());
        }
    }

    public static @Nullable Drain readDrain(ByteReader in) {
        return in.readBoolean() ? new Drain(new CellTime(in.readVarint()), EnumCodec.BATCH_TASKS.read(in)) : null;
    }

    public static void writeTask(ByteWriter out, TaskId task) {
        out.writeVarint(task.job().version());
        out.writeVarint(task.group());
        out.writeVarint(task.index());
    }

    public static TaskId readTask(ByteReader in) {
        return new TaskId(new JobId(in.readVarint()), in.readInt(), in.readInt());
    }

    public static void writeJobState(ByteWriter out, JobState state) {
        EnumCodec.JOB_STATE.write(out, state);
    }

    public static JobState readJobState(ByteReader in) {
        return EnumCodec.JOB_STATE.read(in);
    }

    public static void writeTaskState(ByteWriter out, TaskState state) {
        EnumCodec.TASK_STATE.write(out, state);
    }

    public static TaskState readTaskState(ByteReader in) {
        return EnumCodec.TASK_STATE.read(in);
    }

    public static void writeTaskReason(ByteWriter out, TaskReason reason) {
        EnumCodec.TASK_REASON.write(out, reason);
    }

    public static TaskReason readTaskReason(ByteReader in) {
        return EnumCodec.TASK_REASON.read(in);
    }

    public static void writeOrigin(ByteWriter out, @Nullable Origin origin) {
        out.writeBoolean(origin != null);
        if (origin != null) {
            out.writeText(origin.transaction().text());
            out.writeText(origin.scheduler());
            out.writeVarint(origin.session());
            out.writeVarint(origin.version());
        }
    }

    public static @Nullable Origin readOrigin(ByteReader in) {
        return in.readBoolean()
                ? new Origin(new TransactionId(in.readText()), in.readText(), in.readVarint(), in.readVarint())
                : null;
    }

    private ValueCodec() {}
}
