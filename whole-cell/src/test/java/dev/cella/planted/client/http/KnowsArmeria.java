package dev.cella.planted.client.http;

import com.linecorp.armeria.common.HttpStatus;

final class KnowsArmeria {
    HttpStatus status() {
        return HttpStatus.OK;
    }
}
