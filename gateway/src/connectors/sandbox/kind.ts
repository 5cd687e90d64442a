/** The sandbox as a kind of connector. */
import { defineConnector } from '../kind.ts'
import { Options } from './behaviour.ts'
import { createSandboxConnector } from './connector.ts'
import { endings } from './endings.ts'

export const sandbox = defineConnector({
  name: 'sandbox',
  summary:
    'Serves every channel, sends nothing, and chooses the outcome by the last four digits of the recipient, or as it is set.',
  channels: ['sms', 'international', 'mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'],
  // A long text has a receipt for each part, as with most carriers of text.
  takes: 'parts',
  events: {},
  severalOwners: true,
  options: Options,
  example: {},
  notes: [
    'Where `POSTERN_SANDBOX_PHONES` is `yes`, the [console](../operations/console.md#sandbox) shows what was sent over it on virtual phones, and its behaviour is chosen there. With the behaviour `by-number`:',
    '',
    '| Last four digits | Outcome |',
    '| --- | --- |',
    ...Object.entries(endings).map(([digits, { what }]) => `| \`${digits}\` | ${what} |`),
    '| any other | Delivered. |',
  ].join('\n'),
  login: () => [],
  // Nothing leaves the gateway.
  carriesOrigin: () => true,
  create: (options, context) => createSandboxConnector(context, options),
})
