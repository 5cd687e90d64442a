/** `postern api`, `admin`, `smpp-server`, `worker`, `all`, `migrate` and `drop-past-days`. */
import type { Command } from 'commander'
import { databaseRoles } from '../../operators/table-rights.ts'
import { changes, withoutOperator } from '../access.ts'
import { defineRole, defineDatabaseCommand } from '../define.ts'
import { UsageError } from '../errors.ts'
import { checked, readList, readRolePrefix } from '../options.ts'
import type { MigrateOptions } from './migrate.ts'

const details = `Runs until SIGTERM or SIGINT, then finishes the work in progress and exits. /livez, /readyz and /metrics are on the operations port. The log goes to stdout, one JSON object per line.`
const alsoReads = 'all of docs/configuration.md; the others have defaults'
const failures = ['a port is in use', 'not drained within POSTERN_DRAIN_SECONDS after a signal']

export function defineSystem(program: Command): void {
  defineRole(program, {
    name: 'api',
    summary: 'Run the HTTP API.',
    ...{ details, alsoReads, failures },
    examples: ['api', 'api   # with POSTERN_HTTP_PORT=8081 in the environment: another port'],
    run: async () => (await import('../../roles/run.ts')).runRoles('api'),
  })
  defineRole(program, {
    name: 'worker',
    summary: 'Run intake, dispatch, settle and the webhooks.',
    ...{ details, alsoReads, failures },
    examples: ['worker'],
    run: async () => (await import('../../roles/run.ts')).runRoles('worker'),
  })
  defineRole(program, {
    name: 'admin',
    summary: 'Run the admin API.',
    details: `${details}\n\nIts database user needs the role of commands (docs/operations/operators.md).`,
    ...{ alsoReads, failures: ['POSTERN_ADMIN_PORT is not set', ...failures] },
    examples: ['admin   # with POSTERN_ADMIN_PORT=8090 in the environment'],
    run: async () => (await import('../../roles/run.ts')).runRoles('admin'),
  })
  defineRole(program, {
    name: 'smpp-server',
    summary: 'Run the SMPP server for clients.',
    ...{ details, alsoReads, failures: ['POSTERN_SMPP_SERVER_PORT is not set', ...failures] },
    examples: ['smpp-server   # with POSTERN_SMPP_SERVER_PORT=2775 in the environment'],
    run: async () => (await import('../../roles/run.ts')).runRoles('smpp-server'),
  })
  defineRole(program, {
    name: 'all',
    summary:
      'Run the API and a worker in one process, for small installations; with their ports also the admin API and the SMPP server.',
    ...{ details, alsoReads, failures },
    examples: ['all'],
    run: async () => (await import('../../roles/run.ts')).runRoles('all'),
  })
  defineDatabaseCommand(program, {
    name: 'migrate',
    summary: 'Migrate the database to this version.',
    details:
      'Applies the migrations that are missing, each in its own transaction, and creates the partitions of the coming days. Safe to run again and from several places at once. Run it before a new version starts. With --roles it also grants what `postern database roles` lists, and keeps all rights on tables, so that processes of the former version go on working.',
    options: [
      checked(
        '--roles [prefix]',
        'create the database roles, whose names begin with the prefix, and grant what each needs',
        readRolePrefix,
      ).preset('postern'),
      checked(
        '--logins <list>',
        'passwords by which roles of --roles log in, as references, such as api=env:API_PASSWORD,worker=file:/path',
        readLogins,
      ),
    ],
    access: withoutOperator(changes('system')),
    examples: ['migrate', 'migrate --roles --logins api=env:API_PASSWORD,worker=env:WORKER_PASSWORD'],
    settings: ['retentionDays'],
    unavailable: 'PostgreSQL is unavailable',
    failures: ['a migration failed; nothing of it was kept', 'an applied migration was changed'],
    json: '{"applied":["0001_baseline.sql"],"roles":["postern_api"]}',
    databaseOnly: 'it makes the tables that the admin API needs',
    run: async (invocation, options: MigrateOptions) =>
      (await import('./migrate.ts')).migrateDatabase(invocation, options),
  })
  defineDatabaseCommand(program, {
    name: 'drop-past-days',
    summary: 'Drop the messages of every day past retention, also of many days at once.',
    details:
      "Workers drop a day when it is past retention. When more than three are past at once they drop none and log an error, because PostgreSQL's clock may be ahead. Check its time first: what is dropped cannot be restored. The command is also needed after POSTERN_RETENTION_DAYS was reduced, or when no worker ran for days.",
    access: changes('system'),
    examples: ['drop-past-days', 'drop-past-days --json'],
    settings: ['retentionDays'],
    failures: ["this host's clock differs from PostgreSQL's"],
    json: '{"now":"2026-11-15T09:00:00.000Z","retentionDays":30,"dropped":["20261009","20261010","20261011","20261012"]}',
    databaseOnly: 'it may take longer than a request, and cannot be undone',
    run: async (invocation) => (await import('./drop-past-days.ts')).dropPastDays(invocation),
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
