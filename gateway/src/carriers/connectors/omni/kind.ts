import { accountRefused, fileUploaded, malformedReceipt, pollFailed, tokenRenewed } from '../events.ts'
import { defineConnector } from '../options/kind.ts'
import { refusalRows } from './causes.ts'
import { OmniConnector } from './connector.ts'
import { createOmniInbound } from './inbound.ts'
import { contentRefused } from './outcome.ts'
import { previewOmni } from './preview.ts'
import { checkOmniOptions, omniLogin, OmniOptions } from './options.ts'

export const omni = defineConnector({
  name: 'omni',
  summary: 'Another service with this same API, such as another Postern, for every channel.',
  channels: ['sms', 'international', 'mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'],
  submissionUnit: 'message',
  events: {
    ...accountRefused,
    ...fileUploaded,
    ...malformedReceipt,
    ...pollFailed,
    ...tokenRenewed,
    'channel-refused': 'The service does not allow a channel for the account; its messages wait.',
    'acknowledged-elsewhere':
      'Another reader acknowledged reports of the account, which can be missing here.',
    'webhook-notice': 'A request of the webhook that is not a report.',
  },
  options: OmniOptions,
  example: {
    url: 'https://api.example.net',
    clientId: 'acme',
    password: 'env:POSTERN_ROUTE_SECRET_UPSTREAM_PASSWORD',
    results: 'stream',
    consumer: 'postern-seoul',
    idempotency: true,
  },
  notes: [
    'The route needs a separate account at the service, which nothing else uses. A route with `polling` has one owner: another reader of the account acknowledges reports that are then missing here (`acknowledged-elsewhere`).',
    '',
    '| At the service | Options |',
    '| --- | --- |',
    '| Another Postern | `results: stream`, `idempotency: true` |',
    '| A service that is not Postern | `headerPrefix: IB`, `results: polling`, `idempotency: false` |',
    '| Another Postern, results by webhook | Register `https://<your API>/inbound/<route>/report` there, with its secret as `webhookSecret` |',
    '',
    '## Messages',
    '',
    '- Every message is sent without a fallback: fallbacks are steps of this gateway. Forms are resolved here.',
    '- `ref` contains our reference; the `ref` of the client is not sent. A report finds its message even if the response was lost.',
    '- Images are uploaded once and reused until they expire.',
    '- An SMS, LMS, MMS or RCS message with little time left is sent with `ttl`, so that the service does not deliver it after its step has ended. Other channels have no time limit there.',
    '',
    '## Results',
    '',
    '- While results cannot be read, `poll-failed` is counted; after `resultsTimeoutMs` the link goes down.',
    '- The service keeps reports for three days for polling, and as long as its messages for the stream. After a longer outage, messages end at their deadline.',
    '- With `webhook`, a report that this API does not accept within a few attempts is lost: the message ends as `timeout`, and its fallback can follow a delivered message. Prefer `stream` or `polling`.',
    '- To change `webhookSecret`, set the old one as `previousWebhookSecret` until the messages that were sent with it have their results.',
    '- Specific report codes are passed on unchanged. 54004, 55806, 55820, 55821, 56002, 79998 and 99999 end the step as `outcome-unknown`. `causes` overrides single codes.',
    '',
    'A chain of services that leads back to this gateway is refused only if `url` is the URL in `POSTERN_PUBLIC_FILE_URL`.',
  ].join('\n'),
  details: [
    '## Codes of responses',
    '',
    '| Response | Meaning here |',
    '| --- | --- |',
    '| `A000` | Accepted. |',
    '| `A020`, 429 | Throttled, for `Retry-After` or `throttleRetryMs`. |',
    '| `A001`, `A002`, 401 | A new token, then the same request once more. |',
    '| `A1xx`, `A802` | The account is refused: the link is down, `account-refused` is counted, messages wait. |',
    '| `A325` | The account is not allowed to use the channel: `channel-refused` is counted, its messages wait, others continue. |',
    ...refusalRows,
    '| `A9xx`, `A021`, `A022`, 5xx, no response | Unknown; repeated with `idempotency`. Exception: an `A920` with `Message-Accepted: no`. |',
    '| any other code | Refused: `refused`. |',
    `| ${contentRefused.join(', ')} without a code | Refused by a proxy before the service: only this message, if the account can still log in. |`,
    '| 3xx, other 4xx without a code | Not accepted; the link is down if the account cannot log in. |',
  ].join('\n'),
  check: checkOmniOptions,
  login: omniLogin,
  supportsOriginCode: () => true,
  create: (options, context) => new OmniConnector(options, context),
  inbound: createOmniInbound,
  preview: previewOmni,
})
