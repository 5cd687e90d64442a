/**
 * Creates the tables of docs/operations/operators.md: rights of roles, with the commands that need them, and
 * rights of database roles.
 */

import type { Command } from 'commander'
import { getAccess } from '../src/cli/define.ts'
import { createProgram } from '../src/cli/program.ts'
import { rights, roles, type Right } from '../src/identity/operators/rights.ts'
import { databaseRoles as allRoles, tableRights } from '../src/identity/operators/table-rights.ts'
import { toTable } from './markdown.ts'

/** The role of the admin process inherits those of commands. */
const databaseRoles = allRoles.filter((role) => role !== 'admin')

export function rightTable(): string {
  const program = createProgram({ out: () => undefined, err: () => undefined })
  const byRight = Map.groupBy(commandsOf(program, []), ({ right }) => right)
  const rows = (Object.entries(rights) as [Right, (typeof rights)[Right]][]).map(
    ([right, { allows, roles: having }]) => [
      right,
      allows,
      ...roles.map((role) => ((having as readonly string[]).includes(role) ? 'yes' : '–')),
      (byRight.get(right) ?? []).map(({ path }) => `\`${path}\``).join(', '),
    ],
  )
  return toTable([['Right', 'Allows to', ...roles, 'Commands'], ...rows])
}

/** Letters are r (read), i (insert), u (update) and d (delete); in parentheses for some columns only. */
export function tableRightTable(): string {
  return toTable([
    ['Table', ...databaseRoles],
    ...Object.entries(tableRights).map(([table, granted]) => [
      `\`${table}\``,
      ...databaseRoles.map((role) => toLetters(granted[role])),
    ]),
  ])
}

/** Converts `select, insert, update (hash)` to `r i (u)`. */
function toLetters(privileges: string | undefined): string {
  if (privileges === undefined) return '–'
  const letters = { select: 'r', insert: 'i', update: 'u', delete: 'd' } as const
  return [...privileges.matchAll(/\b(select|insert|update|delete)\b( \()?/g)]
    .map(([, name, columns]) => {
      const letter = letters[name as keyof typeof letters]
      return columns === undefined ? letter : `(${letter})`
    })
    .join(' ')
}

function commandsOf(command: Command, path: readonly string[]): { path: string; right: Right }[] {
  const access = getAccess(command)
  const own = access === undefined || !access.signsIn ? [] : [{ path: path.join(' '), right: access.right }]
  return [...own, ...command.commands.flatMap((child) => commandsOf(child, [...path, child.name()]))]
}
