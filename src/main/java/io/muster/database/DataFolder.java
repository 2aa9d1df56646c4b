package io.muster.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds the embedded database, locked for this process. The operating system drops the lock when the
 * process dies, however it dies, so a lock that cannot be had always means a living server.
 */
final class DataFolder implements AutoCloseable {
    private static final int PASSWORD_BYTES = 24;

    private final Path path;
    private final FileChannel lockFile;

    private DataFolder(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /** @throws DataFolderInUseException when another server holds the folder */
    static DataFolder open(Path folder) {
        var path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            // Also one that was there: below it the library makes folders that everybody may write to.
            if (posix()) Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
            var lockFile = FileChannel.open(
                    path.resolve("server.lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            if (lock(lockFile) == null) {
                lockFile.close();
                throw new DataFolderInUseException(path, holder(path));
            }
            Files.writeString(
                    pidFile(path), Long.toString(ProcessHandle.current().pid()));
            return new DataFolder(path, lockFile);
        } catch (IOException e) {
            throw new UncheckedIOException("The data folder " + path + " cannot be used", e);
        }
    }

    Path postgresData() {
        return path.resolve("postgres");
    }

    Path postgresSoftware() {
        return path.resolve("postgres-software");
    }

    Path passwordFile() {
        return path.resolve("postgres-password");
    }

    /** The database's password: made at random the first time, kept for the owner's eyes only. */
    String password() {
        try {
            var file = passwordFile();
            if (!Files.exists(file)) {
                Files.createFile(file, ownerOnly("rw-------"));
                Files.writeString(file, randomPassword());
            }
            return Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("The database's password cannot be read or written", e);
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(pidFile(path));
        lockFile.close();
    }

    private static @Nullable FileLock lock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by another context of this very process
        }
    }

    private static @Nullable String holder(Path folder) throws IOException {
        var file = pidFile(folder);
        return Files.exists(file) ? Files.readString(file).strip() : null;
    }

    private static Path pidFile(Path folder) {
        return folder.resolve("server.pid");
    }

    private static String randomPassword() {
        var bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return posix()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean posix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
