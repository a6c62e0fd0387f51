package dev.cella.planted.state.core;

import org.apache.ratis.protocol.RaftPeerId;

final class KnowsRatis {
    RaftPeerId peer() {
        return RaftPeerId.valueOf("a");
    }
}
