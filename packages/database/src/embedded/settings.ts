/**
 * How the server is tuned: many small transactions, on a machine of two cores that also runs two chains.
 * Given on the command line, so that an upgrade of Kervan brings its settings along.
 */
export function postgresSettings(port: number): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 60,
    timezone: 'UTC',

    shared_buffers: '128MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    effective_cache_size: '512MB',
    huge_pages: 'off',

    // An acknowledged row survives a power cut: never weaken these.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // Bounds what a start after a kill has to replay.
    max_wal_size: '512MB',
    wal_compression: 'on',

    // Queries are short: compiling or spreading them costs more than it brings.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    io_method: 'sync',
    random_page_cost: 1.1,

    // Job and bot rows are updated all the time: vacuum them early, in small bites.
    autovacuum_naptime: '15s',
    autovacuum_max_workers: 2,
    autovacuum_vacuum_scale_factor: 0.05,

    // A client that was killed or forgot a transaction must not hold its locks.
    client_connection_check_interval: process.platform === 'linux' ? '1s' : 0,
    idle_in_transaction_session_timeout: '60s',

    // Only the server's own life goes to the log. Failed statements are reported to the client, and their
    // text and values stay out of files.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** What Postgres gets to see of our environment: nothing, as ours may hold the master key. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SYSTEMROOT } = process.env;
  return { LC_ALL: 'C', TZ: 'UTC', ...(PATH && { PATH }), ...(SYSTEMROOT && { SYSTEMROOT }) };
}
