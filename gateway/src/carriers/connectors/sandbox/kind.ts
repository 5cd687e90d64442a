import { defineConnector } from '../options/kind.ts'
import { SandboxOptionsSchema } from './behaviour.ts'
import { createSandboxConnector } from './connector.ts'
import { numberBehaviours } from './number-behaviours.ts'

export const sandbox = defineConnector({
  name: 'sandbox',
  summary:
    'Supports every channel and sends nothing. The last four digits of the recipient, or an option, decide the outcome.',
  channels: ['sms', 'international', 'mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'],
  // A long text has a receipt for each part, as with most carriers.
  submissionUnit: 'parts',
  events: {},
  severalOwners: true,
  options: SandboxOptionsSchema,
  example: {},
  notes: [
    'With `POSTERN_SANDBOX_PHONES=yes`, the [console](../../operations/console.md#sandbox) shows its messages on virtual phones and changes its behaviour. With the default behaviour `by-number`:',
    '',
    '| Last four digits | Outcome |',
    '| --- | --- |',
    ...Object.entries(numberBehaviours).map(
      ([digits, { description }]) => `| \`${digits}\` | ${description} |`,
    ),
    '| any other | Delivered. |',
  ].join('\n'),
  login: () => [],
  // Nothing leaves the gateway.
  supportsOriginCode: () => true,
  create: (options, context) => createSandboxConnector(context, options),
})
