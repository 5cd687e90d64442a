/** The definition of `postern route try`. */
import { Argument, Option, type Command } from 'commander'
import { changes } from '../access.ts'
import { defineDatabaseCommand } from '../define.ts'
import { checked } from '../options.ts'
import { routeSecretSettings } from '../setting-lists.ts'
import type { TryOptions } from './try.ts'
import { readRecipient, readRouteId } from './values.ts'

export function defineTry(route: Command): void {
  defineDatabaseCommand(route, {
    name: 'try',
    summary: 'Show the exact request of a message over a route, with secrets masked.',
    details:
      'Sends nothing without --send, and uses no queue: the message is not recorded, and its receipt finds none. For protocols whose messages are single requests: http and omni, where it is a text if the route has one; mm7, where it is an LMS; rbm, maap and maap-kt, where it is an RCS message of the format SS000000; kakao, where it is an alimtalk if the route has it.',
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
      new Option('--brand-key <key>', 'for RCS at Korean carriers: the brand key, if the route has none'),
      new Option('--sender-key <key>', 'for Kakao: the sender key'),
      new Option('--template <code>', 'for alimtalk: the code of the template that the text follows'),
      new Option('--send', 'send it, once, and print the outcome'),
    ],
    access: changes('routes'),
    examples: ['route try infobip-1 --to 01012345678 --text Hello'],
    settings: [...routeSecretSettings, 'routeNetworks'],
    alsoReads: 'the variables and files that the options of the route name as env:NAME and file:/path',
    failures: [
      'there is no such route, or its protocol has no requests to show',
      'with --send: it was not accepted',
    ],
    json: '{"id":"infobip-1","request":{"method":"POST","url":"https://…","headers":{"authorization":"App ***"},"body":"{…}"},"sent":false,"outcome":null}',
    databaseOnly: 'it makes the request of the route itself, with the variables and files of where it runs',
    run: async (invocation, id: string, options: TryOptions) =>
      (await import('./try.ts')).tryRoute(invocation, id, options),
  })
}
