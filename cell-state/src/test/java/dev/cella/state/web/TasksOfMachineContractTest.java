package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.state.web.RunningCell.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A list of one machine's tasks is what the list of all tasks has of it, and costs what the machine has. */
class TasksOfMachineContractTest {
    private static final int SEEDS = 3;
    private static final int STEPS = 150;
    private static final int JOBS = 4;
    private static final int TASKS = 6;
    private static final int MACHINES = 3;

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void list_ofAMachineInARandomCell_isWhatAScanFinds() {
        for (int seed = 1; seed <= SEEDS; seed++) {
            play(seed);
        }
        List<String> states =
                all("").stream().map(row -> row.get("state").asText()).toList();
        assertThat(states).contains("PENDING", "PLACED", "RUNNING", "FINISHED", "FAILED", "LOST");
    }

    /** Jobs are stopped and submitted again under their names, and machines are removed with what runs on them. */
    private static void play(int seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            String job = "random-" + seed + "-" + random.nextInt(JOBS);
            String machine = "m-" + seed + "-" + random.nextInt(MACHINES);
            String task = job + "/main/" + random.nextInt(TASKS);
            switch (random.nextInt(20)) {
                case 0 -> CELL.send("DELETE", "/v1/machines/" + machine + "?force=true", "");
                case 1 -> CELL.delete("/v1/jobs/" + job);
                case 2, 3, 4 -> CELL.putMachine(machine, 64_000, 65_536);
                case 5, 6 -> CELL.submit(job, TASKS);
                case 7, 8, 9, 10, 11 -> CELL.place("t-" + seed + "-" + step, task, machine);
                case 12, 13, 14, 15 -> report(task, "RUNNING");
                case 16, 17 -> report(task, "FINISHED");
                default -> report(task, "FAILED");
            }
            if (step % 15 == 14) {
                compare(seed, random);
            }
        }
    }

    private static void report(String task, String state) {
        CELL.post("/v1/tasks/" + task + ":status", "{\"attempt\": 1, \"state\": \"" + state + "\"}");
    }

    private static void compare(int seed, Random random) {
        String machine = "m-" + seed + "-" + random.nextInt(MACHINES);
        String job = "random-" + seed + "-" + random.nextInt(JOBS);
        String state = List.of("RUNNING", "FAILED", "LOST", "KILLED", "PENDING").get(random.nextInt(5));
        Predicate<JsonNode> onMachine = row -> row.path("machine").asText().equals(machine);
        assertSame("machine=" + machine, "", onMachine);
        assertSame("machine=" + machine + "&job=" + job, "job=" + job, onMachine);
        assertSame("machine=" + machine + "&state=" + state, "state=" + state, onMachine);
    }

    private static void assertSame(String asked, String scanned, Predicate<JsonNode> wanted) {
        assertThat(all(asked))
                .as(asked)
                .isEqualTo(all(scanned).stream().filter(wanted).toList());
    }

    /** The rows of all pages, with small pages so that there are several. */
    private static List<JsonNode> all(String filters) {
        List<JsonNode> rows = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = CELL.get("/v1/tasks?limit=10&" + filters + token).json();
            page.get("tasks").forEach(rows::add);
            token = page.has("nextPageToken")
                    ? "&pageToken=" + page.get("nextPageToken").asText()
                    : "";
        } while (!token.isEmpty());
        return rows;
    }

    @Test
    void list_ofAMachineInACellOfManyTasks_visitsItsTasksAlone() {
        CELL.putMachine("m-few", 4_000, 8_192);
        CELL.putMachine("m-many", 4_000_000, 8_192_000);
        CELL.submit("many", 1_500);
        CELL.place("few", "many/main/7", "m-few", "many/main/9", "m-few");
        report("many/main/9", "RUNNING");
        report("many/main/9", "FINISHED");
        place("many", IntStream.range(100, 1_300), "m-many");

        double before = visited();
        Reply few = CELL.get("/v1/tasks?machine=m-few");
        assertThat(few.json().get("tasks").findValuesAsText("task")).containsExactly("many/main/7", "many/main/9");
        assertThat(visited() - before).isEqualTo(2);

        Reply first = CELL.get("/v1/tasks?machine=m-many&limit=1000");
        assertThat(visited() - before).isEqualTo(2 + 1_200);
        Reply rest = CELL.get("/v1/tasks?machine=m-many&limit=1000&pageToken="
                + first.json().get("nextPageToken").asText());
        List<String> pages = new ArrayList<>(first.json().get("tasks").findValuesAsText("task"));
        pages.addAll(rest.json().get("tasks").findValuesAsText("task"));
        assertThat(pages)
                .isEqualTo(IntStream.range(100, 1_300)
                        .mapToObj(index -> "many/main/" + index)
                        .toList());
        assertThat(rest.version()).isEqualTo(first.version());
        assertThat(visited() - before).as("the rest was kept").isEqualTo(2 + 1_200);
    }

    @Test
    void list_ofAPageOfAJob_visitsThePageAlone() {
        CELL.submit("large", 1_500);
        double before = visited();
        Reply first = CELL.get("/v1/tasks?job=large&limit=10");
        assertThat(visited() - before).isEqualTo(10);
        Reply second = CELL.get("/v1/tasks?job=large&limit=10&pageToken="
                + first.json().get("nextPageToken").asText());
        assertThat(second.json().get("tasks").findValuesAsText("task"))
                .isEqualTo(IntStream.range(10, 20)
                        .mapToObj(index -> "large/main/" + index)
                        .toList());
        assertThat(visited() - before).isEqualTo(20);
    }

    private static void place(String job, IntStream indexes, String machine) {
        CELL.place(
                        "place-" + job,
                        indexes.boxed()
                                .flatMap(index -> List.of(job + "/main/" + index, machine).stream())
                                .toArray(String[]::new))
                .json();
    }

    private static double visited() {
        return CELL.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("cella_lists_tasks_visited"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
