/**
 * The commander program with every command of `postern`. It loads only definitions and help pages, no command
 * code.
 */
import { Command } from 'commander'
import { defineAccount } from './account/commands.ts'
import { defineAudit } from './audit/commands.ts'
import { defineDatabase } from './database/commands.ts'
import { defineDemo } from './demo/commands.ts'
import { defineDerived } from './derived.ts'
import { defineOperator } from './operator/commands.ts'
import { defineParked } from './parked/commands.ts'
import { defineProfile } from './profile/commands.ts'
import { defineRoute } from './route/commands.ts'
import { defineSender } from './sender/commands.ts'
import { defineSecrets } from './secrets/commands.ts'
import { defineSuppression } from './suppression/commands.ts'
import { defineSystem } from './system/commands.ts'
import { defineTraffic } from './traffic/commands.ts'

export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Columns to which help pages are wrapped; 80 if unknown. */
  readonly width?: number | undefined
}

export function createProgram(terminal: Terminal): Command {
  const width = terminal.width ?? 80
  const program = new Command('postern')
    .description('An omnichannel messaging gateway.')
    .usage('<command>')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      // run.ts prints errors, with the command's name and the next step.
      outputError: () => undefined,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .helpOption('-h, --help', 'print this page')
    .helpCommand('help [command...]', 'print the help page of a command')
    .addHelpText(
      'after',
      `
Exit codes:
  0  success
  1  failed: not found, refused, PostgreSQL, RabbitMQ or the admin API unavailable
  2  invalid usage, or a missing or invalid setting
  141  the reader of the output has closed the pipe, such as head

Settings are environment variables: docs/reference/configuration.md.
Commands use the database, or an admin API after \`postern login\` or with POSTERN_ADMIN_URL; see docs/operations/command-line.md.`,
    )
  defineSystem(program)
  defineDemo(program)
  defineProfile(program)
  defineAccount(program)
  defineSender(program)
  defineSuppression(program)
  defineRoute(program)
  defineTraffic(program)
  defineParked(program)
  defineSecrets(program)
  defineAudit(program)
  defineDatabase(program)
  defineOperator(program)
  defineDerived(program)
  return program
}
