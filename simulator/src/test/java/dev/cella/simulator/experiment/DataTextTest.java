package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DataTextTest {
    private static Map<String, Object> data() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", "a \"b\"\n");
        row.put("busy", 0.5);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("rows", List.of(row, Map.of("jobs", 3L)));
        data.put("none", List.of());
        return data;
    }

    @Test
    void json_hasAMemberALine() {
        assertThat(DataText.json(data())).isEqualTo("""
                {
                  "rows": [
                    {
                      "name": "a \\"b\\"\\u000a",
                      "busy": 0.5
                    },
                    {
                      "jobs": 3
                    }
                  ],
                  "none": []
                }""");
    }

    @Test
    void yaml_hasBlocks() {
        assertThat(DataText.yaml(data())).isEqualTo("""
                rows:
                  - name: "a \\"b\\"\\u000a"
                    busy: 0.5
                  - jobs: 3
                none: []""");
    }
}
