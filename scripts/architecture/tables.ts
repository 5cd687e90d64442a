/** Which folders write which tables, read from the SQL in the source text: one folder writes a table. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Table → the folders that insert into, update or delete from it. */
export function findTableWriters(
  root: string,
  files: Iterable<string>,
  tables: ReadonlySet<string>,
): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, table] of source.matchAll(/\b(?:insert into|update|delete from) ([a-z_]+)\b/g)) {
      if (!tables.has(table!)) continue
      writers.set(table!, (writers.get(table!) ?? new Set()).add(dirname(file)))
    }
  }
  return writers
}

/** Names of the tables that the migrations create. */
export function findTables(migrations: Iterable<string>): Set<string> {
  const tables = new Set<string>()
  for (const sql of migrations) {
    for (const [, table] of sql.matchAll(/create (?:unlogged )?table (?:if not exists )?([a-z_]+)/g))
      tables.add(table!)
  }
  return tables
}
