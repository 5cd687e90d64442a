/**
 * The statements that give each database role what `table-rights.ts` lists. Every process and every person gets a user of the
 * database in one of the roles; the owner of the tables is for migrations. Pure.
 */
import { databaseRoles, functionRights, tableRights, type DatabaseRole } from './table-rights.ts'

export interface ExistingTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface GrantTarget {
  readonly prefix: string
  /** Keeps rights on tables that only processes of the previous release use. */
  readonly keepsRights?: boolean
  readonly schema: string
  /** With partitions. */
  readonly tables: readonly ExistingTable[]
  /** With the types of their arguments, such as `ensure_day(text, text[])`. */
  readonly functions: readonly string[]
}

/** For one transaction of the owner of the tables. May be repeated, and must be after a migration that adds tables. */
export function grantStatements({
  prefix,
  schema,
  tables,
  functions,
  keepsRights = false,
}: GrantTarget): string[] {
  const name = (role: DatabaseRole): string => quote(`${prefix}_${role}`)
  const everybody = databaseRoles.map(name).join(', ')
  const inSchema = `in schema ${quote(schema)}`
  return [
    ...databaseRoles.map(
      (role) =>
        // An owner without the right to create roles can grant to roles that exist.
        `do $$ begin if to_regrole('${name(role)}') is null then create role ${name(role)} nologin; end if; end $$`,
    ),
    // Only a user who may grant roles can repeat a grant.
    `do $$ begin if not pg_has_role('${prefix}_admin', '${prefix}_cli', 'member') then grant ${name('cli')} to ${name('admin')}; end if; end $$`,
    ...(keepsRights
      ? []
      : ['schema ' + quote(schema), `all tables ${inSchema}`, `all sequences ${inSchema}`].map(
          (objects) => `revoke all on ${objects} from ${everybody}`,
        )),
    `grant usage on schema ${quote(schema)} to ${everybody}`,
    ...tables.flatMap((table) => tableGrants(table, name)),
    ...functions.flatMap((signature) => functionGrants(signature, name, everybody)),
  ]
}

function tableGrants(
  { name: table, columns }: ExistingTable,
  nameOf: (role: DatabaseRole) => string,
): string[] {
  const rights = tableRights[table] ?? {}
  const visible = [...columns, 'xmin'].filter((column) => !(rights.hidden ?? []).includes(column)).map(quote)
  return databaseRoles.flatMap((role) => {
    const privileges = rights[role]?.replace('(visible)', `(${visible.join(', ')})`)
    return privileges === undefined ? [] : [`grant ${privileges} on ${quote(table)} to ${nameOf(role)}`]
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

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
