/**
 * Finds statements of a migration that break processes of the previous release: during a rolling upgrade both
 * releases use the same tables. Such a statement is the contract step of a change. It is made one release
 * after the last one that needs the removed part, and a comment before it states this: `-- contract: unused
 * since 0.2.0`.
 */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/** Returns the faults as sentences. `migrations` are those after the previous release, in order. */
export function contractSteps(migrations: readonly Migration[], previousVersion: string): string[] {
  const created = new Set<string>()
  return migrations.flatMap(({ name, sql }) => {
    const replaced = new Set(
      [...plain(sql).matchAll(/drop constraint (?:if exists )?(\w+)/g)].map(([, one]) => one!),
    )
    return statementsOf(sql).flatMap(({ text, unusedSince }) => {
      const table = /^create table (?:if not exists )?(\w+)/.exec(text)?.[1]
      if (table !== undefined) created.add(table)
      const fault = findFault(text, created, replaced)
      if (fault === undefined) return []
      if (unusedSince === undefined)
        return [`${name}: ${fault}; add a comment '-- contract: unused since <release>'`]
      return compare(unusedSince, previousVersion) > 0
        ? [`${name}: ${fault}, although release ${previousVersion} may need it: unused since ${unusedSince}`]
        : []
    })
  })
}

interface Statement {
  readonly text: string
  readonly unusedSince: string | undefined
}

function statementsOf(sql: string): Statement[] {
  return plain(sql)
    .split(';')
    .map((part) => {
      const unusedSince = /--contract:(\S+)/.exec(part)?.[1]
      return {
        text: part
          .replace(/--contract:\S+/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
        unusedSince,
      }
    })
    .filter(({ text }) => text !== '')
}

/** Returns the SQL in lower case, without comments and quoted text such as function bodies. */
function plain(sql: string): string {
  return sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--[ \t]*contract: unused since (\d+\.\d+\.\d+).*$/gm, '--contract:$1')
    .replace(/--(?!contract:).*$/gm, '')
    .replace(/'[^']*'/g, "''")
    .toLowerCase()
}

function findFault(
  text: string,
  created: ReadonlySet<string>,
  replaced: ReadonlySet<string>,
): string | undefined {
  const [, kind, name] = /^drop (\w+) (?:if exists )?(\w+)/.exec(text) ?? []
  if (kind !== undefined) return created.has(name!) ? undefined : `drops the ${kind} ${name}`
  const [, altered, rest] = /^alter \w+ (?:if exists )?(?:only )?(\w+) (.*)$/.exec(text) ?? []
  if (altered === undefined || created.has(altered)) return undefined
  return actionsOf(rest!)
    .map((action) => findActionFault(action, altered, replaced))
    .find((found) => found !== undefined)
}

function findActionFault(action: string, table: string, replaced: ReadonlySet<string>): string | undefined {
  const constraint = /^(add|drop) constraint (?:if exists )?(\w+)/.exec(action)
  if (constraint?.[1] === 'add')
    // A constraint that replaces another allows more values.
    return replaced.has(constraint[2]!) ? undefined : `adds the constraint ${constraint[2]} to ${table}`
  if (constraint !== null)
    return /_(pkey|key)$/.test(constraint[2]!) ? `drops the key ${constraint[2]} of ${table}` : undefined
  if (/^add (check|unique|primary|foreign|exclude)/.test(action)) return `adds a constraint to ${table}`
  if (/^rename/.test(action)) return `renames a part of ${table}`
  if (/^drop/.test(action)) return `drops a column of ${table}`
  if (/^add/.test(action) && /\bnot null\b/.test(action) && !/\b(default|generated)\b/.test(action))
    return `adds a column to ${table} that must not be null and has no default`
  if (/^alter (column )?\w+ (set not null|drop default|(set data )?type)/.test(action))
    return `changes a column of ${table}`
  return undefined
}

/** Splits the actions of an `alter table`; commas within brackets do not separate them. */
function actionsOf(text: string): string[] {
  const actions = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) actions.push('')
    else actions.push(actions.pop()! + character)
  }
  return actions.map((action) => action.trim())
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}
