package dev.cella.transactions.codec;

import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.SessionId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Commands as bytes: a type, the principal who asked, and what the command says. The length stands before it in the
 * entry. A type is given once and for ever.
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

    public static byte[] encode(Principal principal, Command command) {
        ByteWriter out = new ByteWriter();
        write(out, principal, command);
        return out.toBytes();
    }

    /**
     * Makes the command again. Damage is a {@link DamagedBytesException}; a command that says what no command may say is
     * an {@link IllegalArgumentException}, and is refused as BAD_COMMAND.
     */
    public static AskedCommand decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int type = in.readByte();
        Principal principal = new Principal(in.readText());
        return new AskedCommand(principal, readLast(in, type));
    }

    /** The same for whom it does not matter who asked; to be nobody is damage all the same. */
    public static Command decodeCommand(byte[] bytes) {
        return isReport(bytes) ? decodeReport(bytes) : decodeAny(bytes);
    }

    private static boolean isReport(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == REPORT_TASK;
    }

    /** Apart from the others, so that no reader is left behind by the most frequent of all commands. */
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

    private static void write(ByteWriter out, Principal principal, Command command) {
        out.writeByte(type(command));
        out.writeText(principal.text());
        if (command instanceof Command.CommitTransaction commit) {
            TransactionCodec.write(out, commit.transaction());
        } else if (command instanceof Command.ReportTask report) {
            writeReport(out, report);
        } else if (command instanceof Command.PutMachine put) {
            writePutMachine(out, put);
        } else if (command instanceof Command.SubmitJob submit) {
            writeSubmitJob(out, submit);
        } else if (command instanceof Command.OpenSession open) {
            writeOpenSession(out, open);
        } else {
            writeShort(out, command);
        }
    }

    private static void writeShort(ByteWriter out, Command command) {
        if (command instanceof Command.FoundCell found) {
            out.writeText(found.name().text());
            out.writeFixedLong(found.incarnation().number());
        } else if (command instanceof Command.RaiseFeatureLevel raise) {
            out.writeVarint(raise.level());
        } else if (command instanceof Command.AddDimension add) {
            ValueCodec.writeDimension(out, add.dimension());
        } else if (command instanceof Command.ChangeMachine change) {
            out.writeVarint(change.machine().version());
            EnumCodec.MACHINE_CHANGE.write(out, change.change());
            out.writeBoolean(change.force());
        } else if (command instanceof Command.LoseMachine lose) {
            out.writeVarint(lose.machine().version());
        } else if (command instanceof Command.ContinueLoss more) {
            out.writeVarint(more.machine().version());
        } else if (command instanceof Command.StopJob stop) {
            out.writeVarint(stop.job().version());
        } else if (command instanceof Command.ContinueStop more) {
            out.writeVarint(more.job().version());
        } else if (command instanceof Command.PutPool put) {
            out.writeText(put.path());
            ValueCodec.writeLimits(out, put.limits());
        } else if (command instanceof Command.SetRights set) {
            out.writeText(set.scheduler());
            ValueCodec.writeRights(out, set.rights());
        } else if (command instanceof Command.PauseScheduler pause) {
            out.writeText(pause.scheduler());
            out.writeBoolean(pause.paused());
        } else if (command instanceof Command.CloseSession close) {
            out.writeVarint(close.session().version());
        } else if (command instanceof Command.ScaleGroup scale) {
            out.writeVarint(scale.job().version());
            out.writeVarint(scale.group());
            out.writeVarint(scale.count());
        } else if (command instanceof Command.ForgetJob forget) {
            out.writeVarint(forget.job().version());
        } else if (command instanceof Command.DrainMachine drain) {
            out.writeVarint(drain.machine().version());
            out.writeVarint(drain.deadlineAfterMillis());
            EnumCodec.BATCH_TASKS.write(out, drain.batch());
        } else if (command instanceof Command.ContinueDrain more) {
            out.writeVarint(more.machine().version());
        }
    }

    private static int type(Command command) {
        if (command instanceof Command.CommitTransaction) {
            return COMMIT_TRANSACTION;
        } else if (command instanceof Command.ReportTask) {
            return REPORT_TASK;
        } else if (command instanceof Command.PutMachine) {
            return PUT_MACHINE;
        } else if (command instanceof Command.ChangeMachine) {
            return CHANGE_MACHINE;
        } else if (command instanceof Command.LoseMachine) {
            return LOSE_MACHINE;
        } else if (command instanceof Command.ContinueLoss) {
            return CONTINUE_LOSS;
        } else if (command instanceof Command.SubmitJob submit) {
            return submit.checkVersion().isPresent() ? SUBMIT_JOB_OF_VERSION : SUBMIT_JOB;
        } else if (command instanceof Command.StopJob) {
            return STOP_JOB;
        } else if (command instanceof Command.ContinueStop) {
            return CONTINUE_STOP;
        } else if (command instanceof Command.OpenSession) {
            return OPEN_SESSION;
        } else if (command instanceof Command.CloseSession) {
            return CLOSE_SESSION;
        } else if (command instanceof Command.AddDimension) {
            return ADD_DIMENSION;
        } else if (command instanceof Command.PutPool) {
            return PUT_POOL;
        } else if (command instanceof Command.SetRights) {
            return SET_RIGHTS;
        } else if (command instanceof Command.PauseScheduler) {
            return PAUSE_SCHEDULER;
        } else if (command instanceof Command.ScaleGroup) {
            return SCALE_GROUP;
        } else if (command instanceof Command.ForgetJob) {
            return FORGET_JOB;
        } else if (command instanceof Command.DrainMachine) {
            return DRAIN_MACHINE;
        } else if (command instanceof Command.ContinueDrain) {
            return CONTINUE_DRAIN;
        } else if (command instanceof Command.RaiseFeatureLevel) {
            return RAISE_FEATURE_LEVEL;
        }
        return FOUND_CELL;
    }

    private static Command read(ByteReader in, int type) {
        return switch (type) {
            case FOUND_CELL -> new Command.FoundCell(new CellName(in.readText()), new Incarnation(in.readFixedLong()));
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
            case CONTINUE_STOP -> new Command.ContinueStop(readJob(in));
            case REPORT_TASK -> readReport(in);
            case OPEN_SESSION -> readOpenSession(in);
            case CLOSE_SESSION -> new Command.CloseSession(new SessionId(in.readVarint()));
            case COMMIT_TRANSACTION -> new Command.CommitTransaction(TransactionCodec.read(in));
            case PUT_POOL -> new Command.PutPool(in.readText(), ValueCodec.readLimits(in));
            case SET_RIGHTS -> new Command.SetRights(in.readText(), ValueCodec.readRights(in));
            case PAUSE_SCHEDULER -> new Command.PauseScheduler(in.readText(), in.readBoolean());
            case SCALE_GROUP -> new Command.ScaleGroup(readJob(in), in.readInt(), in.readInt());
            case FORGET_JOB -> new Command.ForgetJob(readJob(in));
            case DRAIN_MACHINE ->
                new Command.DrainMachine(readMachine(in), in.readVarint(), EnumCodec.BATCH_TASKS.read(in));
            case CONTINUE_DRAIN -> new Command.ContinueDrain(readMachine(in));
            default -> throw in.damaged("unknown command type " + type);
        };
    }

    private static JobId readJob(ByteReader in) {
        return new JobId(in.readVarint());
    }

    private static MachineId readMachine(ByteReader in) {
        return new MachineId(in.readVarint());
    }

    private static void writeSubmitJob(ByteWriter out, Command.SubmitJob submit) {
        ValueCodec.writeHeader(out, submit.header());
        ValueCodec.writeSpecification(out, submit.specification());
        EnumCodec.SUBMIT_MODE.write(out, submit.mode());
        submit.checkVersion().ifPresent(out::writeVarint);
    }

    private static void writePutMachine(ByteWriter out, Command.PutMachine put) {
        out.writeText(put.name());
        ValueCodec.writeAmounts(out, put.capacity());
        ValueCodec.writeAttributes(out, put.attributes());
        ValueCodec.writeAgent(out, put.agent().orElse(null));
        out.writeBoolean(put.force());
    }

    private static Command readPutMachine(ByteReader in) {
        return new Command.PutMachine(
                in.readText(),
                ValueCodec.readAmounts(in),
                ValueCodec.readAttributes(in),
                Optional.ofNullable(ValueCodec.readAgent(in)),
                in.readBoolean());
    }

    private static void writeReport(ByteWriter out, Command.ReportTask report) {
        boolean hasExitCode = report.exitCodeOrNone() != Command.ReportTask.EXIT_CODE_NONE;
        out.writeVarint(report.jobVersion());
        out.writeVarint(report.group());
        out.writeVarint(report.index());
        out.writeVarint(report.attempt());
        out.writeVarint(report.placementVersionOrZero());
        out.writeVarint(report.placementOrdinal());
        EnumCodec.TASK_STATE.write(out, report.state());
        out.writeBoolean(hasExitCode);
        out.writeSigned(hasExitCode ? report.exitCodeOrNone() : 0);
        EnumCodec.TASK_REASON.write(out, report.reason());
        out.writeSigned(report.startedAtMillisOrZero());
        out.writeSigned(report.endedAtMillisOrZero());
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

    private static int readExitCode(ByteReader in) {
        boolean isSaid = in.readBoolean();
        int exitCode = (int) in.readSigned();
        return isSaid ? exitCode : Command.ReportTask.EXIT_CODE_NONE;
    }

    private static void writeOpenSession(ByteWriter out, Command.OpenSession open) {
        out.writeText(open.scheduler());
        out.writeText(open.instance());
        out.writeText(open.type());
        out.writeVarint(open.leaseMillis());
        out.writeVarint(open.renews().map(SessionId::version).orElse(0L));
    }

    private static Command readOpenSession(ByteReader in) {
        return new Command.OpenSession(in.readText(), in.readText(), in.readText(), in.readVarint(), readRenewed(in));
    }

    private static Optional<SessionId> readRenewed(ByteReader in) {
        long version = in.readVarint();
        return version == 0 ? Optional.empty() : Optional.of(new SessionId(version));
    }

    private CommandCodec() {}
}
