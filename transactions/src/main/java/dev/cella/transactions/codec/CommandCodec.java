package dev.cella.transactions.codec;

import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Commands as bytes: a type, the principal, and the fields of the command. The entry has the length before it. A type number
 * is never given twice.
 */
public final class CommandCodec {
    private static final int FOUND_CELL = 1;
    private static final int RAISE_FEATURE_LEVEL = 2;
    private static final int ADD_DIMENSION = 3;
    private static final int PUT_MACHINE = 4;
    private static final int CHANGE_MACHINE = 5;
    private static final int LOSE_MACHINE = 6;
    private static final int CONTINUE_LOSS = 7;
    private static final int SUBMIT_JOB = 8;
    private static final int STOP_JOB = 9;
    private static final int CONTINUE_STOP = 10;
    private static final int REPORT_TASK = 11;
    private static final int OPEN_SESSION = 12;
    private static final int CLOSE_SESSION = 13;
    private static final int COMMIT_TRANSACTION = 14;
    private static final int PUT_POOL = 15;
    private static final int SET_RIGHTS = 16;
    private static final int SCALE_GROUP = 17;
    private static final int FORGET_JOB = 18;
    private static final int DRAIN_MACHINE = 19;
    private static final int CONTINUE_DRAIN = 20;
    private static final int PAUSE_SCHEDULER = 21;
    private static final int SUBMIT_JOB_OF_VERSION = 22;
    private static final int FOUND_CELL_AT_LEVEL = 23;
    private static final int DEFINE_POOL = 24;
    private static final int REMOVE_POOL = 25;
    private static final int SET_RIGHTS_ON_MACHINES = 26;
    private static final int OPEN_SESSION_WITH_OFFERS = 27;
    private static final int END_OFFER = 28;
    private static final int WANT_OFFERS = 29;

    private static final int PUT_TOKEN = 30;
    private static final int REVOKE_TOKEN = 31;
    private static final int REPORT_TASKS = 32;
    private static final int STOP_JOB_WITH_GRACE = 33;
    private static final int SET_RIGHTS_ON_SPARE = 34;

    /** Each of the values of a report takes a byte at least. */
    private static final int REPORT_BYTES_MIN = 12;

    public static byte[] encode(Principal principal, Command command) {
        return command.accept(new Writer(principal)).toBytes();
    }

    /**
     * Decodes a command. Damaged bytes cause a {@link DamagedBytesException}. A command with illegal values causes an {@link
     * IllegalArgumentException}, and the cell refuses it as BAD_COMMAND.
     */
    public static AskedCommand decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int type = in.readByte();
        Principal principal = new Principal(in.readText());
        return new AskedCommand(principal, readLast(in, type));
    }

    /** As {@link #decode}, without the principal. A missing principal is damage here too. */
    public static Command decodeCommand(byte[] bytes) {
        return isReport(bytes) ? decodeReport(bytes) : decodeAny(bytes);
    }

    /**
     * Returns whether the command is of a kind that comes by thousands a second: a transaction, a report, the end of an
     * offer.
     */
    public static boolean isRoutine(byte[] bytes) {
        return bytes.length > 0
                && switch (bytes[0]) {
                    case COMMIT_TRANSACTION, REPORT_TASK, REPORT_TASKS, END_OFFER -> true;
                    default -> false;
                };
    }

    /** Returns whether the command is about a job, a machine or a session, names it by identity only, and is rare. */
    public static boolean isAboutAnIdentity(byte[] bytes) {
        return bytes.length > 0
                && switch (bytes[0]) {
                    case CHANGE_MACHINE, DRAIN_MACHINE, STOP_JOB, STOP_JOB_WITH_GRACE, SCALE_GROUP, CLOSE_SESSION ->
                        true;
                    default -> false;
                };
    }

    private static boolean isReport(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == REPORT_TASK;
    }

    /**
     * Separate from the others, because it is the most frequent command: the JIT compiler inlines its readers here.
     */
    private static Command decodeReport(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        in.readByte();
        skipPrincipal(in);
        Command report = readReport(in);
        in.expectEnd("the command");
        return report;
    }

    private static Command decodeAny(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int type = in.readByte();
        skipPrincipal(in);
        return readLast(in, type);
    }

    private static void skipPrincipal(ByteReader in) {
        if (!in.skipAscii(1, Principal.LENGTH_MAX)) {
            new Principal(in.readText());
        }
    }

    private static Command readLast(ByteReader in, int type) {
        Command command = read(in, type);
        in.expectEnd("the command");
        return command;
    }

    private static Command read(ByteReader in, int type) {
        return switch (type) {
            case FOUND_CELL -> new Command.FoundCell(new CellName(in.readText()), new Incarnation(in.readFixedLong()));
            case FOUND_CELL_AT_LEVEL ->
                new Command.FoundCell(new CellName(in.readText()), new Incarnation(in.readFixedLong()), in.readInt());
            case RAISE_FEATURE_LEVEL -> new Command.RaiseFeatureLevel(in.readInt());
            case ADD_DIMENSION -> new Command.AddDimension(ValueCodec.readDimension(in));
            case PUT_MACHINE -> readPutMachine(in);
            case CHANGE_MACHINE ->
                new Command.ChangeMachine(readMachine(in), EnumCodec.MACHINE_CHANGE.read(in), in.readBoolean());
            case LOSE_MACHINE -> new Command.LoseMachine(readMachine(in));
            case CONTINUE_LOSS -> new Command.ContinueLoss(readMachine(in));
            case SUBMIT_JOB ->
                new Command.SubmitJob(
                        ValueCodec.readHeader(in), ValueCodec.readSpecification(in), EnumCodec.SUBMIT_MODE.read(in));
            case SUBMIT_JOB_OF_VERSION ->
                new Command.SubmitJob(
                        ValueCodec.readHeader(in),
                        ValueCodec.readSpecification(in),
                        EnumCodec.SUBMIT_MODE.read(in),
                        OptionalLong.of(in.readVarint()));
            case STOP_JOB -> new Command.StopJob(readJob(in));
            case STOP_JOB_WITH_GRACE -> new Command.StopJob(readJob(in), OptionalLong.of(in.readVarint()));
            case CONTINUE_STOP -> new Command.ContinueStop(readJob(in));
            case REPORT_TASK -> readReport(in);
            case REPORT_TASKS -> readReports(in);
            case OPEN_SESSION -> readOpenSession(in);
            case OPEN_SESSION_WITH_OFFERS -> readOpenSessionWithOffers(in);
            case END_OFFER -> new Command.EndOffer(ValueCodec.readOffer(in), in.readVarint());
            case WANT_OFFERS -> new Command.WantOffers(in.readText(), in.readBoolean());
            case CLOSE_SESSION -> new Command.CloseSession(new SessionId(in.readVarint()));
            case COMMIT_TRANSACTION -> new Command.CommitTransaction(TransactionCodec.read(in));
            case PUT_POOL -> new Command.PutPool(in.readText(), ValueCodec.readLimits(in));
            case SET_RIGHTS -> new Command.SetRights(in.readText(), ValueCodec.readRights(in));
            case DEFINE_POOL -> new Command.DefinePool(in.readText(), ValueCodec.readPoolPolicy(in));
            case REMOVE_POOL -> new Command.RemovePool(in.readText());
            case SET_RIGHTS_ON_MACHINES -> new Command.SetRights(in.readText(), ValueCodec.readRightsOnMachines(in));
            case SET_RIGHTS_ON_SPARE -> new Command.SetRights(in.readText(), ValueCodec.readRightsOnSpare(in));
            case PAUSE_SCHEDULER -> new Command.PauseScheduler(in.readText(), in.readBoolean());
            case SCALE_GROUP -> new Command.ScaleGroup(readJob(in), in.readInt(), in.readInt());
            case FORGET_JOB -> new Command.ForgetJob(readJob(in));
            case DRAIN_MACHINE ->
                new Command.DrainMachine(readMachine(in), in.readVarint(), EnumCodec.BATCH_TASKS.read(in));
            case CONTINUE_DRAIN -> new Command.ContinueDrain(readMachine(in));
            case PUT_TOKEN -> new Command.PutToken(ValueCodec.readToken(in));
            case REVOKE_TOKEN -> new Command.RevokeToken(in.readText());
            default -> throw in.damaged("unknown command type " + type);
        };
    }

    private static JobId readJob(ByteReader in) {
        return new JobId(in.readVarint());
    }

    private static MachineId readMachine(ByteReader in) {
        return new MachineId(in.readVarint());
    }

    private static Command readPutMachine(ByteReader in) {
        return new Command.PutMachine(
                in.readText(),
                ValueCodec.readAmounts(in),
                ValueCodec.readAttributes(in),
                Optional.ofNullable(ValueCodec.readAgent(in)),
                in.readBoolean());
    }

    private static Command.ReportTask readReport(ByteReader in) {
        return new Command.ReportTask(
                in.readVarint(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readVarint(),
                in.readInt(),
                EnumCodec.TASK_STATE.read(in),
                readExitCode(in),
                EnumCodec.TASK_REASON.read(in),
                in.readSigned(),
                in.readSigned());
    }

    private static Command readReports(ByteReader in) {
        int count = in.readCount(REPORT_BYTES_MIN);
        List<Command.ReportTask> reports = new ArrayList<>(count);
        for (int left = count; left > 0; left--) {
            reports.add(readReport(in));
        }
        return new Command.ReportTasks(reports);
    }

    private static int readExitCode(ByteReader in) {
        boolean isSaid = in.readBoolean();
        int exitCode = (int) in.readSigned();
        return isSaid ? exitCode : Command.ReportTask.EXIT_CODE_NONE;
    }

    private static Command readOpenSession(ByteReader in) {
        return new Command.OpenSession(in.readText(), in.readText(), in.readText(), in.readVarint(), readRenewed(in));
    }

    private static Command readOpenSessionWithOffers(ByteReader in) {
        return new Command.OpenSession(
                in.readText(),
                in.readText(),
                in.readText(),
                in.readVarint(),
                readRenewed(in),
                Optional.of(ValueCodec.readParticipation(in)));
    }

    private static Optional<SessionId> readRenewed(ByteReader in) {
        long version = in.readVarint();
        return version == 0 ? Optional.empty() : Optional.of(new SessionId(version));
    }

    // ---- writing

    /** Writes commands, one method each: the compiler reports a missing one. */
    private static final class Writer implements Command.Visitor<ByteWriter> {
        private final Principal principal;
        private final ByteWriter out = new ByteWriter();

        Writer(Principal principal) {
            this.principal = principal;
        }

        private void begin(int type) {
            out.writeByte(type);
            out.writeText(principal.text());
        }

        @Override
        public ByteWriter visit(Command.FoundCell command) {
            boolean atFirst = command.featureLevel() == 1;
            begin(atFirst ? FOUND_CELL : FOUND_CELL_AT_LEVEL);
            out.writeText(command.name().text());
            out.writeFixedLong(command.incarnation().number());
            if (!atFirst) {
                out.writeVarint(command.featureLevel());
            }
            return out;
        }

        @Override
        public ByteWriter visit(Command.RaiseFeatureLevel command) {
            begin(RAISE_FEATURE_LEVEL);
            out.writeVarint(command.level());
            return out;
        }

        @Override
        public ByteWriter visit(Command.AddDimension command) {
            begin(ADD_DIMENSION);
            ValueCodec.writeDimension(out, command.dimension());
            return out;
        }

        @Override
        public ByteWriter visit(Command.PutMachine command) {
            begin(PUT_MACHINE);
            out.writeText(command.name());
            ValueCodec.writeAmounts(out, command.capacity());
            ValueCodec.writeAttributes(out, command.attributes());
            ValueCodec.writeAgent(out, command.agent().orElse(null));
            out.writeBoolean(command.force());
            return out;
        }

        @Override
        public ByteWriter visit(Command.ChangeMachine command) {
            begin(CHANGE_MACHINE);
            out.writeVarint(command.machine().version());
            EnumCodec.MACHINE_CHANGE.write(out, command.change());
            out.writeBoolean(command.force());
            return out;
        }

        @Override
        public ByteWriter visit(Command.DrainMachine command) {
            begin(DRAIN_MACHINE);
            out.writeVarint(command.machine().version());
            out.writeVarint(command.deadlineAfterMillis());
            EnumCodec.BATCH_TASKS.write(out, command.batch());
            return out;
        }

        @Override
        public ByteWriter visit(Command.ContinueDrain command) {
            begin(CONTINUE_DRAIN);
            out.writeVarint(command.machine().version());
            return out;
        }

        @Override
        public ByteWriter visit(Command.LoseMachine command) {
            begin(LOSE_MACHINE);
            out.writeVarint(command.machine().version());
            return out;
        }

        @Override
        public ByteWriter visit(Command.ContinueLoss command) {
            begin(CONTINUE_LOSS);
            out.writeVarint(command.machine().version());
            return out;
        }

        @Override
        public ByteWriter visit(Command.SubmitJob command) {
            begin(command.checkVersion().isPresent() ? SUBMIT_JOB_OF_VERSION : SUBMIT_JOB);
            ValueCodec.writeHeader(out, command.header());
            ValueCodec.writeSpecification(out, command.specification());
            EnumCodec.SUBMIT_MODE.write(out, command.mode());
            command.checkVersion().ifPresent(out::writeVarint);
            return out;
        }

        @Override
        public ByteWriter visit(Command.StopJob command) {
            begin(command.graceMillis().isPresent() ? STOP_JOB_WITH_GRACE : STOP_JOB);
            out.writeVarint(command.job().version());
            command.graceMillis().ifPresent(out::writeVarint);
            return out;
        }

        @Override
        public ByteWriter visit(Command.ContinueStop command) {
            begin(CONTINUE_STOP);
            out.writeVarint(command.job().version());
            return out;
        }

        @Override
        public ByteWriter visit(Command.ScaleGroup command) {
            begin(SCALE_GROUP);
            out.writeVarint(command.job().version());
            out.writeVarint(command.group());
            out.writeVarint(command.count());
            return out;
        }

        @Override
        public ByteWriter visit(Command.ForgetJob command) {
            begin(FORGET_JOB);
            out.writeVarint(command.job().version());
            return out;
        }

        @Override
        public ByteWriter visit(Command.ReportTask command) {
            begin(REPORT_TASK);
            write(command);
            return out;
        }

        @Override
        public ByteWriter visit(Command.ReportTasks command) {
            begin(REPORT_TASKS);
            out.writeVarint(command.reports().size());
            command.reports().forEach(this::write);
            return out;
        }

        private void write(Command.ReportTask command) {
            boolean hasExitCode = command.exitCodeOrNone() != Command.ReportTask.EXIT_CODE_NONE;
            out.writeVarint(command.jobVersion());
            out.writeVarint(command.group());
            out.writeVarint(command.index());
            out.writeVarint(command.attempt());
            out.writeVarint(command.placementVersionOrZero());
            out.writeVarint(command.placementOrdinal());
            EnumCodec.TASK_STATE.write(out, command.state());
            out.writeBoolean(hasExitCode);
            out.writeSigned(hasExitCode ? command.exitCodeOrNone() : 0);
            EnumCodec.TASK_REASON.write(out, command.reason());
            out.writeSigned(command.startedAtMillisOrZero());
            out.writeSigned(command.endedAtMillisOrZero());
        }

        @Override
        public ByteWriter visit(Command.OpenSession command) {
            begin(command.offers().isEmpty() ? OPEN_SESSION : OPEN_SESSION_WITH_OFFERS);
            out.writeText(command.scheduler());
            out.writeText(command.instance());
            out.writeText(command.type());
            out.writeVarint(command.leaseMillis());
            out.writeVarint(command.renews().map(SessionId::version).orElse(0L));
            command.offers().ifPresent(offers -> ValueCodec.writeParticipation(out, offers));
            return out;
        }

        @Override
        public ByteWriter visit(Command.EndOffer command) {
            begin(END_OFFER);
            ValueCodec.writeOffer(out, command.offer());
            out.writeVarint(command.refuseMillis());
            return out;
        }

        @Override
        public ByteWriter visit(Command.WantOffers command) {
            begin(WANT_OFFERS);
            out.writeText(command.scheduler());
            out.writeBoolean(command.wanted());
            return out;
        }

        @Override
        public ByteWriter visit(Command.CloseSession command) {
            begin(CLOSE_SESSION);
            out.writeVarint(command.session().version());
            return out;
        }

        @Override
        public ByteWriter visit(Command.PutPool command) {
            begin(PUT_POOL);
            out.writeText(command.path());
            ValueCodec.writeLimits(out, command.limits());
            return out;
        }

        @Override
        public ByteWriter visit(Command.SetRights command) {
            if (command.rights().isOfLevel7()) {
                begin(SET_RIGHTS_ON_SPARE);
                out.writeText(command.scheduler());
                ValueCodec.writeRightsOnSpare(out, command.rights());
                return out;
            }
            boolean plain = command.rights().isPlain();
            begin(plain ? SET_RIGHTS : SET_RIGHTS_ON_MACHINES);
            out.writeText(command.scheduler());
            if (plain) {
                ValueCodec.writeRights(out, command.rights());
            } else {
                ValueCodec.writeRightsOnMachines(out, command.rights());
            }
            return out;
        }

        @Override
        public ByteWriter visit(Command.DefinePool command) {
            begin(DEFINE_POOL);
            out.writeText(command.path());
            ValueCodec.writePoolPolicy(out, command.policy());
            return out;
        }

        @Override
        public ByteWriter visit(Command.RemovePool command) {
            begin(REMOVE_POOL);
            out.writeText(command.path());
            return out;
        }

        @Override
        public ByteWriter visit(Command.PauseScheduler command) {
            begin(PAUSE_SCHEDULER);
            out.writeText(command.scheduler());
            out.writeBoolean(command.paused());
            return out;
        }

        @Override
        public ByteWriter visit(Command.PutToken command) {
            begin(PUT_TOKEN);
            ValueCodec.writeToken(out, command.token());
            return out;
        }

        @Override
        public ByteWriter visit(Command.RevokeToken command) {
            begin(REVOKE_TOKEN);
            out.writeText(command.name());
            return out;
        }

        @Override
        public ByteWriter visit(Command.CommitTransaction command) {
            begin(COMMIT_TRANSACTION);
            TransactionCodec.write(out, command.transaction());
            return out;
        }
    }

    private CommandCodec() {}
}
