/** The sandbox as a kind of connector. */
import { Type } from 'typebox'
import { closed } from '../options.ts'
import { defineConnector } from '../kind.ts'
import { createSandboxConnector } from './connector.ts'
import { endings } from './endings.ts'

export const sandbox = defineConnector({
  name: 'sandbox',
  summary:
    'Serves every channel, sends nothing, and chooses the outcome by the last four digits of the recipient.',
  channels: ['sms', 'international', 'mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'],
  // A long text has a receipt for each part, as with most carriers of text.
  takes: 'parts',
  events: {},
  severalOwners: true,
  options: Type.Object({}, { ...closed, description: 'The sandbox has no options.' }),
  example: {},
  notes: [
    '| Last four digits | Outcome |',
    '| --- | --- |',
    ...Object.entries(endings).map(([digits, { what }]) => `| \`${digits}\` | ${what} |`),
    '| any other | Delivered. |',
  ].join('\n'),
  login: () => [],
  // Nothing leaves the gateway.
  carriesOrigin: () => true,
  create: (_options, context) => createSandboxConnector(context),
})
