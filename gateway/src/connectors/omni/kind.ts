/** A service with the API of this gateway as a kind of connector. */
import { defineConnector } from '../kind.ts'
import { OmniConnector } from './connector.ts'
import { createOmniInbound } from './inbound.ts'
import { previewOmni } from './preview.ts'
import { checkOmniOptions, omniLogin, OmniOptions } from './options.ts'

export const omni = defineConnector({
  name: 'omni',
  summary: 'Another service with this same API, such as another Postern, for every channel at once.',
  channels: ['sms', 'international', 'mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'],
  takes: 'message',
  options: OmniOptions,
  example: {
    baseUrl: 'https://api.example.net',
    clientId: 'acme',
    password: 'env:SKYLINK_PASSWORD',
    results: 'stream',
    consumer: 'postern-seoul',
    idempotency: true,
  },
  notes: [
    'The route needs an account of its own at the service. With `polling` the service keeps one open batch for each account:',
    'whoever else polls that account acknowledges reports that are then missing here, which is logged and counted as',
    '`acknowledged-elsewhere`. Such a route has one owner.',
    '',
    '| At the service | Setting |',
    '| --- | --- |',
    '| Another Postern | `results: stream`, `idempotency: true` |',
    '| The public service, or any other | `headerPrefix: IB`, `results: polling`, `idempotency: false` |',
    '| Results by webhook from another Postern | Register `https://<your API>/inbound/<route>/report` there, and give its secret as `webhookSecret` |',
    '',
    'Every message is sent alone, never with a fallback: the fallbacks of a flow are steps of this gateway. A message that',
    'only a flow can express (a time limit, an item list) is sent as a flow of one message. `ref` carries the reference of',
    'this gateway, so that a report finds its message even when the answer to the send was lost; the `ref` of the client',
    'never leaves. Forms are resolved here and are not needed at the service. Images are uploaded to the service once and',
    'used until they expire there.',
    '',
    '| Answer | Meaning here |',
    '| --- | --- |',
    '| `A000` | Accepted. |',
    '| `A020`, 429 | Throttled, for `Retry-After` or `throttleRetryMs`. |',
    '| `A001`, `A002`, 401 | A new token, then the same request once more. |',
    '| `A1xx`, `A802` | The account is refused: the link is down, `account-refused` is counted, messages wait. |',
    '| `A325` | The account may not use the channel: `channel-refused` is counted, its messages wait, others go on. |',
    '| `A327`, `A502`; `A306`; `A322`–`A324`; `A2xx` | Refused: unregistered sender; wrong number; spam; attachment. |',
    '| `A9xx`, 5xx, no answer | Unknown; repeated with `idempotency`. `A920` that says that nothing was accepted is not unknown. |',
    '| any other code | Refused. |',
    '',
    'Not supported: results that the service has deleted. It keeps reports for three days for polling, and as long as its',
    'messages for the stream. After a longer outage, messages without a result end at their deadline. A chain of services',
    'that leads back to this gateway is refused only when `baseUrl` is the address in `POSTERN_PUBLIC_FILE_BASE`.',
  ].join('\n'),
  check: checkOmniOptions,
  login: omniLogin,
  create: (options, context) => new OmniConnector(options, context),
  inbound: createOmniInbound,
  preview: previewOmni,
})
