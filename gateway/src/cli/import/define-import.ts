/** Defines `postern route import`. */
import { Argument, type Command } from 'commander'
import type { Option } from 'commander'
import { defineProfileCommand } from '../define.ts'
import { oneOf } from '../options.ts'
import type { RouteImportOptions } from './import-routes.ts'

/** `channels` is the option of the routes, with its checks. */
export function defineImport(route: Command, channels: Option): void {
  defineProfileCommand(route, {
    name: 'import',
    summary: 'Print commands that import the SMPP links and users of a Kannel or Jasmin configuration.',
    details:
      'Changes nothing: it prints a shell script of `postern account create` and `postern route put`, with comments for settings without a counterpart. Read the script, correct it and run it. A route whose rules cannot be expressed is printed with --disabled, so that it carries no additional messages. Passwords are not printed: routes refer to environment variables. For Kannel the file is its configuration; for Jasmin it is a file of jcli commands, or the output of `smppccm -s`, `filter -s` and `mtrouter -s`.',
    arguments: [new Argument('<file>', 'the file, at most 1 MB')],
    required: [oneOf('--from <name>', 'format of the file', ['jasmin', 'kannel'])],
    options: [channels],
    failures: ['the file contains no SMPP link and no user'],
    examples: ['route import kannel.conf --from kannel', 'route import jcli.txt --from jasmin > routes.sh'],
    json: '{"commands":[{"args":["route","put","smsc-a","…"],"notes":["smsc-a, line 12"]}],"secrets":[{"name":"POSTERN_ROUTE_SECRET_IMPORTED_SMSC_A_PASSWORD","source":"smsc-password, line 12"}],"notes":[]}',
    run: async (file: string, options: RouteImportOptions) =>
      (await import('./import-routes.ts')).importRoutes(file, options),
  })
}
