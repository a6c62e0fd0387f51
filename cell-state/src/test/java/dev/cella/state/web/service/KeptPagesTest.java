package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.Machine;
import dev.cella.state.web.service.KeptPages.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptPagesTest {
    private static final int LIMIT = 1_000;

    /** As many as the largest cell of the measurements has. */
    private static final int MACHINES_OF_THE_LARGEST_CELL = 130_000;

    private final KeptPages pages = new KeptPages();

    private Page<Machine> first(int size) {
        Listing<Machine> listing = Listing.of(
                size, place -> Machine.newBuilder().setName("m-" + place).build());
        return pages.first(ListMachinesRequest.getDefaultInstance(), new Shown<>(listing, 1, 1), LIMIT);
    }

    private Page<Machine> next(String token) {
        return pages.next(ListMachinesRequest.getDefaultInstance(), token, LIMIT);
    }

    @Test
    void pages_ofTheLargestCell_haveAllItsMachines_whileOthersListThem() {
        Page<Machine> page = first(MACHINES_OF_THE_LARGEST_CELL);
        var unusedOther = first(MACHINES_OF_THE_LARGEST_CELL);
        List<String> names = new ArrayList<>();
        page.rows().forEach(machine -> names.add(machine.getName()));
        for (Optional<String> token = page.next(); token.isPresent(); token = page.next()) {
            page = next(token.get());
            page.rows().forEach(machine -> names.add(machine.getName()));
        }
        assertThat(names)
                .isEqualTo(IntStream.range(0, MACHINES_OF_THE_LARGEST_CELL)
                        .mapToObj(place -> "m-" + place)
                        .toList());
    }

    @Test
    void pages_ofLargeRows_haveFewerOfThem_andAllAreRead() {
        String mebibyte = "x".repeat(1 << 20);
        Listing<Machine> listing = Listing.of(
                20,
                place -> Machine.newBuilder()
                        .setName("m-" + place)
                        .putAttributes("large", place == 19 ? mebibyte.repeat(10) : mebibyte)
                        .build());
        List<Integer> sizes = new ArrayList<>();
        Page<Machine> page = pages.first(ListMachinesRequest.getDefaultInstance(), new Shown<>(listing, 1, 1), LIMIT);
        sizes.add(page.rows().size());
        while (page.next().isPresent()) {
            page = next(page.next().orElseThrow());
            sizes.add(page.rows().size());
        }

        assertThat(sizes).containsExactly(7, 7, 5, 1);
        assertThat(page.rows().get(0).getName()).isEqualTo("m-19");
    }

    @Test
    void pages_ofAListThatIsTooLong_sayInTheEndHowToAskForLess() {
        Page<Machine> page = first(Listing.ROWS_MAX + 1);
        int rows = page.rows().size();
        while (rows < Listing.ROWS_MAX) {
            page = next(page.next().orElseThrow());
            rows += page.rows().size();
        }
        String token = page.next().orElseThrow();
        assertThatThrownBy(() -> next(token)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.type().status()).isEqualTo(410);
            assertThat(problem.hint().orElseThrow()).contains("ask for less");
        });
    }
}
