/** The definition of `postern route import`. */
import { Argument, type Command } from 'commander'
import type { Option } from 'commander'
import { defineOwn } from '../define.ts'
import { oneOf } from '../options.ts'
import type { ImportOptions } from './import-routes.ts'

/** `channels` is the option of the routes, with its checks. */
export function defineImport(route: Command, channels: Option): void {
  defineOwn(route, {
    name: 'import',
    summary: 'Print the commands for the SMPP links and users of a configuration of Kannel or Jasmin.',
    details:
      'Changes nothing: it prints a shell script of `postern account create` and `postern route put`, with what has no counterpart as comments. Read it, correct it and run it. A route whose rules cannot be expressed is printed with --disabled, so that it carries no more than before. Passwords are not printed: routes refer to variables of the environment. For Kannel the file is its configuration; for Jasmin it is a file of commands of its console, or what `smppccm -s`, `filter -s` and `mtrouter -s` print there.',
    arguments: [new Argument('<file>', 'the file, at most 1 MB')],
    required: [oneOf('--from <name>', 'the gateway that it is of', ['jasmin', 'kannel'])],
    options: [channels],
    failures: ['the file has no SMPP link and no user'],
    examples: ['route import kannel.conf --from kannel', 'route import jcli.txt --from jasmin > routes.sh'],
    json: '{"commands":[{"args":["route","put","smsc-a","…"],"notes":["smsc-a, line 12"]}],"secrets":[{"name":"POSTERN_ROUTE_SECRET_IMPORTED_SMSC_A_PASSWORD","source":"smsc-password, line 12"}],"notes":[]}',
    run: async (file: string, options: ImportOptions) =>
      (await import('./import-routes.ts')).importRoutes(file, options),
  })
}
