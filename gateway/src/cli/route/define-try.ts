/** Defines `postern route try`. */
import { Argument, Option, type Command } from 'commander'
import { writeCommandAccess } from '../access.ts'
import { defineDatabaseCommand } from '../define.ts'
import { checked } from '../options.ts'
import { routeSecretSettings } from '../setting-lists.ts'
import type { TryOptions } from './try.ts'
import { readRecipient, readRouteId } from './values.ts'

export function defineTry(route: Command): void {
  defineDatabaseCommand(route, {
    name: 'try',
    summary: 'Print the exact request of a message over a route, with masked secrets.',
    details:
      'Without --send nothing is sent. The command bypasses the queues: the message is not recorded, and its receipt is not matched. It supports protocols with one request per message: http and omni send a text if the route carries texts; mm7 an LMS; rbm, maap and maap-kt an RCS message of the format SS000000; kakao an alimtalk if the route carries alimtalk.',
    arguments: [new Argument('<id>', 'the route').argParser(readRouteId)],
    required: [
      checked(
        '--to <number>',
        'the recipient: 01012345678, or + and a country code: +819012345678',
        readRecipient,
      ),
      new Option('--text <text>', 'the text'),
    ],
    options: [
      new Option('--from <sender>', 'the sender').default('0212345678'),
      new Option('--brand-key <key>', 'brand key for RCS at Korean carriers, if the route has none'),
      new Option('--sender-key <key>', 'sender key for Kakao'),
      new Option('--template <code>', 'code of the template of the text, for alimtalk'),
      new Option('--send', 'send the message once and print the outcome'),
    ],
    access: writeCommandAccess('routes'),
    examples: ['route try infobip-1 --to 01012345678 --text Hello'],
    settings: [...routeSecretSettings, 'routeNetworks'],
    alsoReads: 'the variables and files that the options of the route name as env:NAME and file:/path',
    failures: [
      'the route was not found, or its protocol has no requests to show',
      'with --send: the message was not accepted',
    ],
    json: '{"id":"infobip-1","request":{"method":"POST","url":"https://…","headers":{"authorization":"App ***"},"body":"{…}"},"sent":false,"outcome":null}',
    databaseOnly: 'it builds the request of the route locally, with the variables and files of its host',
    run: async (invocation, id: string, options: TryOptions) =>
      (await import('./try.ts')).tryRoute(invocation, id, options),
  })
}
