/** The operator's command line: `postern <role or command>`. */
import { account } from './commands/account.ts'
import { UsageError, type Command } from './commands/command.ts'
import { ledger } from './commands/ledger.ts'
import { message } from './commands/message.ts'
import { migrateCommand } from './commands/migrate.ts'
import { parked } from './commands/parked.ts'
import { route } from './commands/route.ts'
import { webhook } from './commands/webhook.ts'
import { ConfigError } from './platform/config.ts'
import { runRoles } from './roles/run.ts'

const roles: Command[] = [
  { name: 'api', usage: 'api', summary: 'runs the HTTP API', run: () => runRoles('api') },
  {
    name: 'worker',
    usage: 'worker',
    summary: 'runs intake, dispatch and settle',
    run: () => runRoles('worker'),
  },
  { name: 'all', usage: 'all', summary: 'runs both in one process', run: () => runRoles('all') },
]
const commands: Command[] = [...roles, migrateCommand, account, route, ledger, message, parked, webhook]

function help(): string {
  const lines = commands.map(
    (command) => `  ${command.name.padEnd(10)}${command.summary}\n${' '.repeat(12)}postern ${command.usage}`,
  )
  return `postern: an omnichannel messaging gateway\n\n${lines.join('\n')}\n\nSettings come from the environment: see docs/configuration.md\n`
}

const [name, ...args] = process.argv.slice(2)
const command = commands.find((candidate) => candidate.name === name)
if (command === undefined) {
  const asked = name === undefined || name === 'help' || name === '--help'
  process.stdout.write(asked ? help() : `postern: unknown command '${name}'\n\n${help()}`)
  process.exit(asked ? 0 : 2)
}
try {
  await command.run(args)
} catch (error) {
  const known =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  if (known !== true) throw error
  process.stderr.write(
    `postern ${command.name}: ${(error as Error).message}\nusage: postern ${command.usage}\n`,
  )
  process.exit(2)
}
