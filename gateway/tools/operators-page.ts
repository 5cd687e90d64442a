// The rights of operators, as docs/operations/operators.md: which role has which right, and which commands need it.

import type { Command } from 'commander'
import { accessOf } from '../src/commands/define.ts'
import { createProgram } from '../src/commands/program.ts'
import { rights, roles, type Right } from '../src/operators/rights.ts'

export function operatorsPage(): string {
  const byRight = Map.groupBy(
    commandsOf(createProgram({ out: () => undefined, err: () => undefined }), []),
    ({ right }) => right,
  )
  const rows = (Object.entries(rights) as [Right, (typeof rights)[Right]][]).map(
    ([right, { allows, roles: having }]) => {
      const marks = roles.map((role) => ((having as readonly string[]).includes(role) ? 'yes' : '–'))
      const commands = (byRight.get(right) ?? []).map(({ path }) => `\`${path}\``).join(', ')
      return `| ${right} | ${allows} | ${marks.join(' | ')} | ${commands} |`
    },
  )
  return [
    ...introduction,
    '',
    '## Rights',
    '',
    'Generated from `gateway/src/operators/rights.ts` and the definitions of the commands, which are what is enforced.',
    '',
    `| Right | Allows to | ${roles.join(' | ')} | Commands |`,
    `| --- | --- | ${roles.map(() => '---').join(' | ')} | --- |`,
    ...rows,
    '',
    '`--reveal` of a command needs the right _reveal_ besides, and `postern ledger --acknowledge` the right _messages_. The processes (`api`,',
    '`worker`, `all`) and `postern migrate` need no operator: the rights of their database users limit them.',
    '',
  ].join('\n')
}

function commandsOf(command: Command, path: readonly string[]): { path: string; right: Right }[] {
  const access = accessOf(command)
  const own = access === undefined || !access.signsIn ? [] : [{ path: path.join(' '), right: access.right }]
  return [...own, ...command.commands.flatMap((child) => commandsOf(child, [...path, child.name()]))]
}

const introduction = [
  '# Operators',
  '',
  'Operators are the people who run commands. Each has a name, a role and keys; the key says who runs a command, the role what the person',
  'may do, and the [audit log](audit.md) keeps both. An installation without operators works as before: commands run as the user of the',
  'system, who has every right and is recorded.',
  '',
  '```',
  'postern operator add kim --role admin            # prints the first key, once',
  'export POSTERN_OPERATOR_KEY=postern_op_…         # or file:/home/kim/.postern-key',
  'postern operator key rotate                      # kim replaces it before anything else',
  'postern operator add lee --role support --days 90',
  'postern operator disable lee --reason "has left" # refused from the next command on',
  '```',
  '',
  '- From the first operator on, every command needs a key. The first operator must be an admin, and one who can sign in is always left.',
  '- A key that somebody else made works for `postern operator key rotate` only. So nobody but its operator knows a key that works.',
  '- `--by` is refused where operators exist. A wrong key and a missing right are recorded with the result `refused`.',
  '- Admins who have lost their keys: `postern operator recover NAME --reason …`, with the database user that owns the tables.',
  '',
  '## Database roles',
  '',
  'Who can connect to the database as the owner of its tables can do everything without a command. Give people and processes database',
  'users of their own, and keep the one of the owner for `postern migrate` and `postern database roles`:',
  '',
  '```',
  'postern migrate && postern database roles        # as the owner; again after every migration',
  'psql -c "create role gw_api login password \'…\' in role postern_api"',
  '```',
  '',
  '| Role | For | May not |',
  '| --- | --- | --- |',
  '| the owner | `migrate`, `database roles`, `operator recover` | – |',
  '| `postern_api` | `postern api` | see operators or the audit log, change senders, rules and token keys, change tables |',
  '| `postern_worker` | `postern worker` and `all`; owns messages, attempts and reports, whose days it creates and drops | see operators, the audit log or token keys, change senders and rules |',
  '| `postern_cli` | commands | update or delete rows of the audit log, change tables other than those of days |',
  '| `postern_auditor` | `postern audit list`, `show`, `verify` and `checkpoint` | read or write anything else |',
  '',
  '`postern all` runs both processes in one: give it a user in both roles.',
]
