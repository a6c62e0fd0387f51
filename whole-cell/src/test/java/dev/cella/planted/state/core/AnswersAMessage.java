package dev.cella.planted.state.core;

import dev.cella.planted.client.proto.Message;

final class AnswersAMessage {
    Message answer() {
        return new Message();
    }
}
