package dev.cella.cli.chaos;

import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.proto.ReplayFile;
import dev.cella.chaos.report.HtmlReport;
import dev.cella.chaos.report.RunReport;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.simulator.files.FigureFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The reports of runs as files: written by {@code run}, read by {@code replay} and {@code shrink}. */
final class ReportFiles {
    private final Terminal terminal;
    private final @Nullable String folder;

    ReportFiles(Terminal terminal, @Nullable String folder) {
        this.terminal = terminal;
        this.folder = folder;
    }

    /** What the user calls the file of a run, for {@code replay} and {@code shrink}. */
    String fileOf(Scenario scenario, long seed) {
        return Path.of(folder == null ? "" : folder)
                .resolve(name(scenario, seed) + ".json")
                .toString();
    }

    private static String name(Scenario scenario, long seed) {
        return scenario.name() + "-" + seed;
    }

    /** Makes the folder before the runs: one that cannot be written is noticed at once, not after hours. */
    ReportFiles prepared() {
        if (folder != null) {
            new FigureFolder(terminal.environment().path(folder)).prepare().ifPresent(fault -> {
                throw ChaosFailure.couldNotRun(folder + " " + fault, "--out takes a folder that can be written");
            });
        }
        return this;
    }

    void write(Checked run) {
        if (folder != null) {
            replace(run);
            terminal.say(
                    "wrote " + terminal.environment().path(folder).resolve(name(run.scenario(), run.seed()) + ".html"));
        }
    }

    /** Without a word: it was written before. */
    void replace(Checked run) {
        if (folder == null) {
            return;
        }
        Path into = terminal.environment().path(folder);
        String name = name(run.scenario(), run.seed());
        try {
            Files.createDirectories(into);
            Files.writeString(into.resolve(name + ".json"), RunReport.json(run));
            Files.writeString(into.resolve(name + ".html"), HtmlReport.of(run));
        } catch (IOException failure) {
            throw ChaosFailure.couldNotRun("cannot write the report to " + into + ": " + failure, "name another --out");
        }
    }

    ReplayFile read(String name) {
        Path file = terminal.environment().path(name);
        try {
            ReplayFile read =
                    new JsonCodec().readAnswer(ReplayFile.getDefaultInstance(), Source.json(Files.readString(file)));
            if (read.hasReplay()) {
                return read;
            }
        } catch (IOException missing) {
            throw ChaosFailure.couldNotRun(
                    name + " cannot be read", "name the JSON file that cella chaos run --out wrote");
        } catch (BadInput bad) {
            throw ChaosFailure.couldNotRun(
                    name + ": " + bad.getMessage(), "name the JSON file that cella chaos run --out wrote");
        }
        throw ChaosFailure.couldNotRun(
                name + " is no report of a run", "name the JSON file that cella chaos run --out wrote");
    }
}
