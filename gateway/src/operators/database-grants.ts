/**
 * What each database role may do, as data, and the statements that grant it. Every process and every person gets a user of
 * the database in one of the roles; the owner of the tables is for migrations. Pure.
 */

export const databaseRoles = ['api', 'worker', 'cli', 'auditor'] as const
export type DatabaseRole = (typeof databaseRoles)[number]

type Privileges = 'select' | 'select, insert' | 'select, insert, update, delete' | 'none'

const usual: Readonly<Record<DatabaseRole, Privileges>> = {
  api: 'select, insert, update, delete',
  worker: 'select, insert, update, delete',
  cli: 'select, insert, update, delete',
  auditor: 'none',
}

/** Where a role may do less than usual, or the auditor more. */
const exceptions: Readonly<Record<string, Partial<Readonly<Record<DatabaseRole, Privileges>>>>> = {
  // Number, time and hash of a row are set by a trigger with the rights of the owner.
  audit_log: { api: 'none', worker: 'none', cli: 'select, insert', auditor: 'select' },
  audit_tail: { api: 'none', worker: 'select', cli: 'select', auditor: 'select' },
  operators: { api: 'none', worker: 'none', auditor: 'select' },
  operator_keys: { api: 'none', worker: 'none' },
  migrations: { api: 'select', worker: 'select', cli: 'select', auditor: 'select' },
  // Who may send what is decided by operators.
  trust_rules: { api: 'select', worker: 'select' },
  senders: { api: 'select', worker: 'select' },
  sender_changes: { api: 'none', worker: 'none' },
  // Tokens are made and checked by the API.
  token_keys: { api: 'select', worker: 'none' },
}

/** Workers create and drop their days, which only the owner of a table may. */
export const tablesOfWorkers = ['messages', 'attempts', 'reports'] as const

export interface GrantTarget {
  readonly prefix: string
  readonly schema: string
  /** Without partitions. */
  readonly tables: readonly string[]
  readonly partitions: readonly string[]
}

/** For one transaction of the owner of the tables. May be repeated, and must be after a migration that adds tables. */
export function grantStatements({ prefix, schema, tables, partitions }: GrantTarget): string[] {
  const name = (role: DatabaseRole): string => quote(`${prefix}_${role}`)
  const everybody = databaseRoles.map(name).join(', ')
  const owned = [...tablesOfWorkers.filter((table) => tables.includes(table)), ...partitions]
  const days = `alter default privileges for role ${name('worker')} in schema ${quote(schema)}`
  return [
    ...databaseRoles.map(
      (role) =>
        `do $$ begin create role ${name(role)} nologin; exception when duplicate_object then null; end $$`,
    ),
    `grant usage on schema ${quote(schema)} to ${everybody}`,
    `revoke all on all tables in schema ${quote(schema)} from ${everybody}`,
    `grant usage, select on all sequences in schema ${quote(schema)} to ${name('api')}, ${name('worker')}, ${name('cli')}`,
    ...tables.flatMap((table) =>
      databaseRoles.flatMap((role) => {
        const privileges = exceptions[table]?.[role] ?? usual[role]
        return privileges === 'none' ? [] : [`grant ${privileges} on ${quote(table)} to ${name(role)}`]
      }),
    ),
    `grant create on schema ${quote(schema)} to ${name('worker')}`,
    // The owner goes on migrating them, and commands move accounts and drop past days.
    `grant ${name('worker')} to current_user, ${name('cli')}`,
    ...owned.map((table) => `alter table ${quote(table)} owner to ${name('worker')}`),
    `${days} grant select, insert, update, delete on tables to ${name('api')}`,
  ]
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
