/**
 * Builds the statements that grant each database role the rights of `table-rights.ts`. Every process and
 * every person gets a database user in one of the roles; the owner of the tables is for migrations.
 */
import { databaseRoles, functionRights, tableRights, type DatabaseRole } from './table-rights.ts'

export interface ExistingTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface GrantTarget {
  /** Prefix of the role names, as in `<prefix>_api`. */
  readonly prefix: string
  /** Keeps rights on tables that only processes of the previous release use. */
  readonly keepsRights?: boolean
  readonly schema: string
  /** The tables, including partitions. */
  readonly tables: readonly ExistingTable[]
  /** The functions with the types of their arguments, such as `ensure_day(text, text[])`. */
  readonly functions: readonly string[]
}

/**
 * Builds the statements for one transaction of the table owner. They can be repeated, and must run after a
 * migration that adds tables.
 */
export function grantStatements({
  prefix,
  schema,
  tables,
  functions,
  keepsRights = false,
}: GrantTarget): string[] {
  const nameOf = (role: DatabaseRole): string => quoteIdentifier(`${prefix}_${role}`)
  const everybody = databaseRoles.map(nameOf).join(', ')
  const inSchema = `in schema ${quoteIdentifier(schema)}`
  return [
    ...databaseRoles.map(
      (role) =>
        // Skips existing roles, so that an owner who cannot create roles can still run this.
        `do $$ begin if to_regrole('${nameOf(role)}') is null then create role ${nameOf(role)} nologin; end if; end $$`,
    ),
    // `admin` inherits the rights of `cli`, because it runs the operations of commands. Skipped if already granted:
    // repeating a grant would fail for an owner without the right to grant roles.
    `do $$ begin if not pg_has_role('${prefix}_admin', '${prefix}_cli', 'member') then grant ${nameOf('cli')} to ${nameOf('admin')}; end if; end $$`,
    ...(keepsRights
      ? []
      : ['schema ' + quoteIdentifier(schema), `all tables ${inSchema}`, `all sequences ${inSchema}`].map(
          (objects) => `revoke all on ${objects} from ${everybody}`,
        )),
    `grant usage on schema ${quoteIdentifier(schema)} to ${everybody}`,
    ...tables.flatMap((table) => tableGrants(table, nameOf)),
    ...functions.flatMap((signature) => functionGrants(signature, nameOf, everybody)),
  ]
}

function tableGrants(
  { name: table, columns }: ExistingTable,
  nameOf: (role: DatabaseRole) => string,
): string[] {
  const rights = tableRights[table] ?? {}
  // The system column xmin changes with each update of a row; caches detect changes by it.
  const visible = [...columns, 'xmin']
    .filter((column) => !(rights.hidden ?? []).includes(column))
    .map(quoteIdentifier)
  return databaseRoles.flatMap((role) => {
    const privileges = rights[role]?.replace('(visible)', `(${visible.join(', ')})`)
    return privileges === undefined
      ? []
      : [`grant ${privileges} on ${quoteIdentifier(table)} to ${nameOf(role)}`]
  })
}

function functionGrants(
  signature: string,
  nameOf: (role: DatabaseRole) => string,
  everybody: string,
): string[] {
  const roles = functionRights[signature.slice(0, signature.indexOf('('))]
  if (roles === undefined) return []
  return [
    `revoke all on function ${signature} from public, ${everybody}`,
    ...(roles.length === 0
      ? []
      : [`grant execute on function ${signature} to ${roles.map(nameOf).join(', ')}`]),
  ]
}

export function quoteIdentifier(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
