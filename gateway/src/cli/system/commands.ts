/** Defines `postern api`, `admin`, `smpp-server`, `worker`, `all`, `migrate` and `purge-expired`. */
import type { Command } from 'commander'
import { databaseRoles } from '../../identity/operators/table-rights.ts'
import { writeCommandAccess, allowAnonymous } from '../access.ts'
import { defineRole, defineDatabaseCommand } from '../define.ts'
import { UsageError } from '../errors.ts'
import { checked, readList, readRolePrefix } from '../options.ts'
import type { MigrateOptions } from './migrate.ts'

const details = `Runs until SIGTERM or SIGINT, then finishes the work in progress and exits. /livez, /readyz and /metrics are on the operations port. The log goes to stdout, one JSON object per line.`
const alsoReads = 'all of docs/reference/configuration.md; the others have defaults'
const failures = ['a port is in use', 'not drained within POSTERN_DRAIN_SECONDS after a signal']

export function defineSystem(program: Command): void {
  defineRole(program, {
    name: 'api',
    summary: 'Run the HTTP API.',
    details,
    alsoReads,
    failures,
    examples: ['api', 'api   # with POSTERN_HTTP_PORT=8081 in the environment: another port'],
    run: async () => (await import('../../roles/run.ts')).runRoles('api'),
  })
  defineRole(program, {
    name: 'worker',
    summary: 'Run intake, dispatch, settle and the webhooks.',
    details,
    alsoReads,
    failures,
    examples: ['worker'],
    run: async () => (await import('../../roles/run.ts')).runRoles('worker'),
  })
  defineRole(program, {
    name: 'admin',
    summary: 'Run the admin API.',
    details: `${details}\n\nIts database user requires the role of commands (docs/operations/operators.md).`,
    alsoReads,
    failures: ['POSTERN_ADMIN_PORT is not set', ...failures],
    examples: ['admin   # with POSTERN_ADMIN_PORT=8090 in the environment'],
    run: async () => (await import('../../roles/run.ts')).runRoles('admin'),
  })
  defineRole(program, {
    name: 'smpp-server',
    summary: 'Run the SMPP server for clients.',
    details,
    alsoReads,
    failures: ['POSTERN_SMPP_SERVER_PORT is not set', ...failures],
    examples: ['smpp-server   # with POSTERN_SMPP_SERVER_PORT=2775 in the environment'],
    run: async () => (await import('../../roles/run.ts')).runRoles('smpp-server'),
  })
  defineRole(program, {
    name: 'all',
    summary:
      'Run the API and a worker in one process, for small installations, plus the admin API and the SMPP server if their ports are set.',
    details,
    alsoReads,
    failures,
    examples: ['all'],
    run: async () => (await import('../../roles/run.ts')).runRoles('all'),
  })
  defineDatabaseCommand(program, {
    name: 'migrate',
    summary: 'Migrate the database to this version.',
    details:
      'Applies missing migrations, each in its own transaction, and creates the partitions of the coming days. It is safe to repeat, and to run from several hosts at the same time. Run it before a new version starts. With --roles it also grants the rights of `postern database roles`, but revokes no rights on tables, so that processes of the previous version continue to work.',
    options: [
      checked(
        '--roles [prefix]',
        'create the database roles with this name prefix, and grant their rights',
        readRolePrefix,
      ).preset('postern'),
      checked(
        '--logins <list>',
        'passwords of the roles of --roles, as references, such as api=env:API_PASSWORD,worker=file:/path',
        readLogins,
      ),
    ],
    access: allowAnonymous(writeCommandAccess('system')),
    examples: ['migrate', 'migrate --roles --logins api=env:API_PASSWORD,worker=env:WORKER_PASSWORD'],
    settings: ['retentionDays'],
    unavailable: 'PostgreSQL is unavailable',
    failures: ['a migration failed and was rolled back', 'an applied migration was changed'],
    json: '{"applied":["0001_baseline.sql"],"roles":["postern_api"]}',
    databaseOnly: 'it creates the tables that the admin API needs',
    run: async (invocation, options: MigrateOptions) =>
      (await import('./migrate.ts')).migrateDatabase(invocation, options),
  })
  defineDatabaseCommand(program, {
    name: 'purge-expired',
    summary: 'Delete messages older than the retention period.',
    details:
      "Workers drop a day once it is past retention. If more than three days are past retention, they drop none and log an error, because PostgreSQL's clock may be ahead. Check its time first: dropped data cannot be restored. The command is also needed after POSTERN_RETENTION_DAYS was reduced, or if no worker ran for days.",
    access: writeCommandAccess('system'),
    examples: ['purge-expired', 'purge-expired --json'],
    settings: ['retentionDays'],
    failures: ["this host's clock differs from PostgreSQL's"],
    json: '{"now":"2026-11-15T09:00:00.000Z","retentionDays":30,"dropped":["20261009","20261010","20261011","20261012"]}',
    databaseOnly: 'it can take longer than a request and cannot be undone',
    run: async (invocation) => (await import('./purge-expired.ts')).purgeExpired(invocation),
  })
}

function readLogins(text: string, option: string): Readonly<Record<string, string>> {
  const pairs = readList(text).map((item) => item.split('=', 2) as [string, string])
  for (const [role, reference = ''] of pairs)
    if (
      !(databaseRoles as readonly string[]).includes(role) ||
      !/^(env:[A-Z][A-Z0-9_]*|file:\/.+)$/.test(reference)
    )
      throw new UsageError(
        `${option} must be a comma-separated list of role=env:NAME or role=file:/path, with the roles ${databaseRoles.join(', ')}`,
      )
  return Object.fromEntries(pairs)
}
