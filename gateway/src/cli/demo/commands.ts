/** Defines `postern demo`. */
import type { Command } from 'commander'
import { defineCommand } from '../define.ts'
import { UsageError } from '../errors.ts'
import { checked } from '../options.ts'
import type { DemoOptions } from './calls.ts'

export function defineDemo(program: Command): void {
  defineCommand(program, {
    name: 'demo',
    summary: 'Create a sandbox account with a route and a key, and print its first request.',
    details:
      'Messages of the account do not leave the gateway: the last four digits of a recipient determine the outcome. Existing objects are kept, so the command is safe to repeat. A key is only shown when it is created. The command creates nothing in an installation that has routes to carriers.',
    options: [checked('--client-id <id>', 'client id of the account', readClientId).default('demo')],
    operation: 'createAccount',
    examples: ['demo', 'demo --client-id team-a --json'],
    alsoReads: 'POSTERN_HTTP_PORT and POSTERN_ADMIN_PORT, for the printed addresses',
    failures: ['a route leads to a carrier', 'the account exists but is not a sandbox account'],
    json: '{"clientId":"demo","route":"sandbox-demo","created":["account","route","key"],"key":"postern_…","api":"http://127.0.0.1:8080","console":"http://127.0.0.1:8090"}',
    call: async (admin, options: DemoOptions) => (await import('./calls.ts')).createDemo(admin, options),
  })
}

/** Allows 24 characters, because the route id `sandbox-<client id>` has at most 32. */
function readClientId(text: string, option: string): string {
  if (/^[A-Za-z0-9._-]{1,24}$/.test(text)) return text
  throw new UsageError(`${option} must be 1 to 24 letters, digits, dots, hyphens or underscores`)
}
