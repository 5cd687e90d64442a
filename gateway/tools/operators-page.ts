// docs/operations/operators.md: which role of operators has which right, which commands need it, and what database roles may do.

import type { Command } from 'commander'
import { accessOf } from '../src/commands/define.ts'
import { createProgram } from '../src/commands/program.ts'
import { rights, roles, type Right } from '../src/operators/rights.ts'
import { databaseRoles as allRoles, tableRights } from '../src/operators/table-rights.ts'

/** The role of the admin process inherits those of commands. */
const databaseRoles = allRoles.filter((role) => role !== 'admin')

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
    '### Tables',
    '',
    'Generated from `gateway/src/operators/table-rights.ts`. r: read, i: insert, u: update, d: delete; (…): some columns only. Days are created and',
    'dropped, and operators are changed, by functions with the rights of the owner.',
    '',
    `| Table | ${databaseRoles.join(' | ')} |`,
    `| --- | ${databaseRoles.map(() => '---').join(' | ')} |`,
    ...Object.entries(tableRights).map(
      ([table, granted]) =>
        `| \`${table}\` | ${databaseRoles.map((role) => shortly(granted[role])).join(' | ')} |`,
    ),
    '',
    '## Rights',
    '',
    'Generated from `gateway/src/operators/rights.ts` and the definitions of the commands, which are what is enforced.',
    '',
    `| Right | Allows to | ${roles.join(' | ')} | Commands |`,
    `| --- | --- | ${roles.map(() => '---').join(' | ')} | --- |`,
    ...rows,
    '',
    'Some uses of a command need another right besides:',
    '',
    '| Use | Right |',
    '| --- | --- |',
    ...furtherRights.map(([use, right]) => `| ${use} | ${right} |`),
    '',
    'The processes (`api`, `worker`, `admin`, `smpp-server`, `all`), `postern migrate` and `postern operator recover` need no operator: the rights of their database users limit them.',
    '',
  ].join('\n')
}

/** What the right in the definition of the command does not cover; the code of the acts checks it. */
const furtherRights: readonly (readonly [use: string, right: Right])[] = [
  ['`--reveal`, except for URLs of webhooks', 'reveal'],
  ['`webhook add`, and `webhook set --url`', 'reveal'],
  ['`--reveal` for URLs of webhooks', 'webhooks'],
  ['`account set` with a shorter `--erase-after-days`', 'erase'],
  [
    '`account set` with a limit of 0 or above the present one, more `--smpp-binds`, a larger weight, or a lane before the present one; the same with `account create`',
    'trust',
  ],
  ['consents: `suppression import --state agreed`', 'trust'],
  ['a decision on a sender that is blocked', 'block'],
  ['`ledger acknowledge`', 'messages'],
  ['`operator password` for another operator', 'operators'],
]

/** `select, insert, update (hash)` is `r i (u)`. */
function shortly(privileges: string | undefined): string {
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
  const access = accessOf(command)
  const own = access === undefined || !access.signsIn ? [] : [{ path: path.join(' '), right: access.right }]
  return [...own, ...command.commands.flatMap((child) => commandsOf(child, [...path, child.name()]))]
}

const introduction = [
  '# Operators',
  '',
  'Operators are the people who run commands and use the [admin API](admin-api.md). Each has a name, a role and keys; the key says who acts, the role what the person',
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
  '- From the first operator on, every command needs a key, except `migrate` and `operator recover`, those of `audit` that a database user of',
  '  `postern_auditor` runs, and `login`, `logout`, `profile` and `route import`, which use no database. Processes need none. The first operator must be an admin, and one who can sign in is always left.',
  '- A key that somebody else made works for `postern operator key rotate` only, and `postern operator key add` makes none beside a key that',
  '  works. Whoever made or passed on a first key can use it in place of its operator, who then cannot and must report it: so a first key is',
  '  replaced at once, in the presence of its operator. `postern operator list` says who made which key.',
  '- A key with an end keeps it: a successor that its operator makes ends no later. An operator makes ten keys a day at most, and a client',
  '  whose account is blocked none; a revoked key is listed for 30 days.',
  '- Over the admin API an admin makes a first key, gives a first password and removes a second factor only for other operators: what is done',
  '  with a stolen key must not outlive its revocation. For the own name another admin does it, or the same command on the database.',
  '- `--by` is refused where operators exist. A wrong key and a missing right are recorded with the result `refused`.',
  '- The role `client` is for a login of a client: it reaches one account in the console, and runs no command ([self-service](self-service.md)).',
  '- Admins who have lost their keys: `postern operator recover NAME --reason …`, with the database user that owns the tables.',
  '',
  '## Database roles',
  '',
  'The owner of the tables can change everything, the audit log included. Use that database user only for `postern migrate`,',
  '`postern database roles` and `postern operator recover`. Give every process and every person a user of a role. A process that connects as',
  'the owner or as a superuser refuses to start, and so does an API, SMPP server or worker with a user of `postern_cli` or `postern_admin`,',
  'unless `POSTERN_PRIVILEGED_DATABASE_USER=warn` accepts the risk.',
  '',
  'As the owner, who may create roles, with every upgrade:',
  '',
  '```',
  'export API_PASSWORD=… WORKER_PASSWORD=… CLI_PASSWORD=… ADMIN_PASSWORD=…',
  'postern migrate --roles --logins api=env:API_PASSWORD,worker=env:WORKER_PASSWORD,cli=env:CLI_PASSWORD,admin=env:ADMIN_PASSWORD',
  '```',
  '',
  '`--roles` creates the roles and grants what each needs. With `--logins` these roles log in with the given passwords, so',
  '`postgres://postern_api:…@host/postern` is the `POSTERN_DATABASE_URL` of the API. For further users, such as one per person:',
  '',
  '```',
  'psql -c "create role kim login password \'…\' in role postern_cli"',
  '```',
  '',
  'An owner without the right to create roles grants to roles that the administrator of the database has created. `postern migrate --roles`',
  'revokes no right on a table, because processes of the former release may still use it; `postern database roles` does, when they have stopped',
  '([upgrading](upgrading.md#without-stopping)).',
  '',
  '| Role | For | May not |',
  '| --- | --- | --- |',
  '| the owner | `migrate`, `database roles`, `operator recover` | – |',
  '| `postern_api` | `postern api`, `postern smpp-server` | see operators or the audit log; change accounts, credentials, routes, senders, rules, limits and token keys; delete data keys; change tables |',
  '| `postern_worker` | `postern worker` | see operators or token keys; change the audit log, which it reads once a day to verify it; read or change credentials, but for erasing what has ended; change accounts, routes, senders, rules and limits, but for encrypting options of routes; change tables, but for creating days and dropping past ones |',
  '| `postern_cli` | commands | change operators without the key of an admin, read hashes of their keys; update or delete rows of the audit log; change tables |',
  '| `postern_admin` | `postern admin` | the same as `postern_cli`, except that it starts and ends sessions of operators for whom an OpenID Connect provider vouches |',
  '| `postern_viewer` | commands that change nothing and show nothing of persons, such as `account list`, `route list`, `ledger`, `worker list` | read messages, senders, webhooks, secrets or the audit log; write anything |',
  '| `postern_auditor` | `postern audit list`, `show`, `verify` and `checkpoint`, without the key of an operator | read or write anything else |',
  '',
  '`postern all` runs API and worker in one process: give it a user in both roles, and in `postern_admin` where it serves the [admin API](admin-api.md).',
  '',
  '### What the roles do not prevent',
  '',
  '- Roles of operators are checked by the commands. Whoever has a database user of `postern_cli` can write accounts, senders and rules with',
  '  `psql` as well, can read messages, and can add rows to the audit log in the name of others. Such rows name the database user: give each',
  '  person a user of their own, or run commands on a host where people cannot read `POSTERN_DATABASE_URL`, through `sudo` or a service.',
  '- Before the first operator exists, anybody with a user of `postern_cli` can become the first admin.',
  '- With a user of `postern_viewer` or `postern_auditor` a refusal is printed and not recorded: they cannot write to the log.',
  '- Users of `postern_worker` and `postern_cli` can drop days before yesterday on which no message is open, and those of `postern_worker` past',
  '  months of traffic records, also within the retention, which the database does not know. Keep backups.',
  '- A worker handles every message, and whoever has its database user can read and change messages on their way.',
  '- The owner of the tables, and a superuser, can change everything, the audit log too; [checkpoints](audit.md#verify) that are kept elsewhere show it.',
]
