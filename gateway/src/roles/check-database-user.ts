/**
 * Prevents a process from running as a superuser or as the table owner. Also prevents a process that clients
 * or carriers can reach from running as a user for commands; the role `all` may, because it can include the
 * admin API. POSTERN_PRIVILEGED_DATABASE_USER can accept both.
 */
import { ConfigError } from '../platform/settings/config.ts'
import { retryTransient } from '../platform/database/retry.ts'
import type { RoleName } from './role.ts'
import type { Runtime } from './runtime.ts'

const rolesByProcess: Readonly<Record<RoleName, string>> = {
  api: 'postern_api',
  'smpp-server': 'postern_api',
  worker: 'postern_worker',
  admin: 'postern_admin',
  all: 'postern_api and postern_worker, and postern_admin with an admin port',
}

export async function checkDatabaseUser(
  {
    config,
    database,
    log,
  }: Pick<Runtime, 'database' | 'log'> & { config: { privilegedDatabaseUser: string } },
  role: RoleName,
): Promise<void> {
  // This signal is never aborted: a stop during the start ends the process.
  const { signal } = new AbortController()
  const user = await retryTransient(
    async () => {
      const { rows } = await database.query<{
        name: string
        isSuperuserOrOwner: boolean
        readsOperators: boolean | null
      }>(
        `select current_user as name,
                (select rolsuper from pg_roles where rolname = current_user)
                or exists (select from pg_class
                            where oid = to_regclass('migrations') and pg_has_role(relowner, 'member')) as "isSuperuserOrOwner",
                has_table_privilege(to_regclass('operators'), 'select') as "readsOperators"`,
      )
      return rows[0]!
    },
    { what: 'reading the rights of the database user', log, signal },
  )
  const why = user.isSuperuserOrOwner
    ? 'is a superuser or owns the tables, so it can change everything, including the audit log'
    : user.readsOperators === true && role !== 'admin' && role !== 'all'
      ? 'is for commands or the admin API, so it can read and change more than this process needs'
      : undefined
  if (why === undefined) return
  const risk = `the database user '${user.name}' of this process ${why}. Create the database roles as the owner: postern migrate --roles (docs/operations/operators.md#database-roles). Then set POSTERN_DATABASE_URL to a user of ${rolesByProcess[role]}`
  if (config.privilegedDatabaseUser === 'refuse')
    throw new ConfigError(`${risk}, or accept the risk with POSTERN_PRIVILEGED_DATABASE_USER=warn.`)
  log.warn({}, risk)
}
