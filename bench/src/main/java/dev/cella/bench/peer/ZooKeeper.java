package dev.cella.bench.peer;

import dev.cella.state.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Three servers of ZooKeeper, with {@code multi} requests to the leader. It implements only a part of the protocol: a session,
 * and transactions that create and delete nodes, many under way at once, answered in order.
 */
final class ZooKeeper implements Peer {
    private static final int MULTI = 14;
    private static final int CREATE = 1;
    private static final int DELETE = 2;
    private static final int END = -1;
    private static final int ALL_RIGHTS = 31;
    private static final int ANY_VERSION = -1;
    private static final long HEADER_BYTES = 16;
    private static final int SESSION_MILLIS = 40_000;

    private final PeerProcesses processes = new PeerProcesses("zookeeper");
    private final ConcurrentLinkedQueue<CompletableFuture<Boolean>> underWay = new ConcurrentLinkedQueue<>();
    private final Socket socket;
    private final DataOutputStream out;
    private int calls;

    /** @param classPath of its jars */
    ZooKeeper(String classPath) throws IOException, InterruptedException {
        try {
            List<Integer> ports = FreePorts.find(3 * PeerProcesses.MEMBERS, new SecureRandom());
            for (int member = 1; member <= PeerProcesses.MEMBERS; member++) {
                start(classPath, member, ports);
            }
            List<Integer> clients = ports.subList(0, PeerProcesses.MEMBERS);
            processes.await("a leader of ZooKeeper", () -> clients.stream().anyMatch(ZooKeeper::leads));
            int leader = clients.stream().filter(ZooKeeper::leads).findFirst().orElseThrow();
            socket = new Socket(InetAddress.getLoopbackAddress(), leader);
            socket.setTcpNoDelay(true);
            out = new DataOutputStream(socket.getOutputStream());
            connect();
        } catch (IOException | InterruptedException | RuntimeException failure) {
            processes.close();
            throw failure;
        }
    }

    /** Debian's path: a jar that names the others. */
    static Optional<String> installed(Path root) {
        return Optional.of(root.resolve("usr/share/java/zookeeper.jar"))
                .filter(Files::exists)
                .map(Path::toString);
    }

    private void start(String classPath, int member, List<Integer> ports) throws IOException {
        Path data = Files.createDirectories(processes.folder().resolve("z" + member));
        Files.writeString(data.resolve("myid"), String.valueOf(member));
        StringBuilder file = new StringBuilder("tickTime=2000%ninitLimit=10%nsyncLimit=5%n".formatted())
                .append("admin.enableServer=false%n4lw.commands.whitelist=srvr%nmaxClientCnxns=0%n".formatted())
                .append("dataDir=%s%nclientPort=%d%nclientPortAddress=127.0.0.1%n"
                        .formatted(data, ports.get(member - 1)));
        for (int other = 1; other <= PeerProcesses.MEMBERS; other++) {
            file.append("server.%d=127.0.0.1:%d:%d%n"
                    .formatted(
                            other,
                            ports.get(PeerProcesses.MEMBERS + other - 1),
                            ports.get(2 * PeerProcesses.MEMBERS + other - 1)));
        }
        Path configuration = processes.folder().resolve("z" + member + ".cfg");
        Files.writeString(configuration, file);
        processes.start(
                "z" + member,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        classPath,
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        configuration.toString()));
    }

    private static boolean leads(int port) {
        try (Socket asked = new Socket(InetAddress.getLoopbackAddress(), port)) {
            asked.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .contains("Mode: leader");
        } catch (IOException notYet) {
            return false;
        }
    }

    private void connect() throws IOException {
        send(request -> {
            request.writeInt(0);
            request.writeLong(0);
            request.writeInt(SESSION_MILLIS);
            request.writeLong(0);
            request.writeInt(16);
            request.write(new byte[16]);
            request.writeBoolean(false);
        });
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.skipNBytes(in.readInt());
        Thread answers = new Thread(() -> hear(in), "bench-zookeeper");
        answers.setDaemon(true);
        answers.start();
    }

    /** Each answer begins with the number of its call, a place in the log, and 0 or an error. */
    private void hear(DataInputStream in) {
        try {
            while (true) {
                int length = in.readInt();
                in.readInt();
                in.readLong();
                int wrong = in.readInt();
                // The answer to a refused transaction has no kind of operation at its start.
                boolean done = wrong == 0 && in.readInt() > 0;
                in.skipNBytes(length - HEADER_BYTES - (wrong == 0 ? Integer.BYTES : 0));
                underWay.remove().complete(done);
            }
        } catch (IOException ended) {
            underWay.forEach(lost -> lost.completeExceptionally(ended));
        }
    }

    private interface Written {
        void to(DataOutputStream request) throws IOException;
    }

    private void send(Written written) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        written.to(new DataOutputStream(bytes));
        out.writeInt(bytes.size());
        bytes.writeTo(out);
        out.flush();
    }

    @Override
    public CompletableFuture<Boolean> place(List<String> tasks) {
        return multi(tasks, CREATE, (request, task) -> {
            text(request, "/" + task);
            text(request, task);
            request.writeInt(1);
            request.writeInt(ALL_RIGHTS);
            text(request, "world");
            text(request, "anyone");
            request.writeInt(0);
        });
    }

    @Override
    public CompletableFuture<Boolean> release(List<String> tasks) {
        return multi(tasks, DELETE, (request, task) -> {
            text(request, "/" + task);
            request.writeInt(ANY_VERSION);
        });
    }

    private interface Operation {
        void write(DataOutputStream request, String task) throws IOException;
    }

    private CompletableFuture<Boolean> multi(List<String> tasks, int type, Operation operation) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        underWay.add(answer);
        try {
            send(request -> {
                calls++;
                request.writeInt(calls);
                request.writeInt(MULTI);
                for (String task : tasks) {
                    header(request, type, false);
                    operation.write(request, task);
                }
                header(request, END, true);
            });
        } catch (IOException failure) {
            answer.completeExceptionally(failure);
        }
        return answer;
    }

    private static void header(DataOutputStream request, int type, boolean last) throws IOException {
        request.writeInt(type);
        request.writeBoolean(last);
        request.writeInt(-1);
    }

    private static void text(DataOutputStream request, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        request.writeInt(bytes.length);
        request.write(bytes);
    }

    @Override
    public Duration cpu() {
        return processes.cpu();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        processes.close();
    }
}
