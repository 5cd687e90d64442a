/** RCS at the three carriers, with results by webhook, and over the relay of KT, with results by polling. */
import { behaviours } from '../../../../simulator/src/maap/behaviours.ts'
import { refused, simulatorArguments, taken, type Endings, type Protocol } from './protocol.ts'
import {
  badNumber,
  commonEndings,
  delivered,
  phoneOff,
  rcsShapes,
  refusedByCarrier,
  spam,
  temporary,
  timeout,
  unknown,
  unsupported,
  wrongMessagebase,
  wrongSender,
} from './rcs.ts'

const common: Endings = {
  ...commonEndings,
  '0002': taken(unsupported),
  '0008': refused(badNumber),
  '0016': taken(phoneOff),
  // The status leaves open whether it was delivered.
  '0019': taken(unknown),
  '0020': taken(unknown),
  '0021': taken(unknown),
  '0022': taken(unknown),
  '0023': taken(unknown),
  '0024': taken(delivered),
  '0052': refused(wrongSender),
  // The carrier says that it has accepted this message before, so its status is waited for.
  '0059': refused(timeout, { silent: true }),
  // The quota is used up: the message waits for the next one.
  '0060': refused(timeout, { silent: true }),
  '0061': taken(delivered),
  '0062': taken(delivered),
  '0063': taken(delivered),
  '0064': taken(temporary),
}

const token = 'token-of-the-statuses'
const limits = { responseTimeoutMs: 2_500, throttleRetryMs: 20 }
const login = { agencyId: 'agency', agencyKey: 'AK.e2e' }

const carriers = ['skt', 'kt', 'lgu'] as const

export const maapProtocols: readonly Protocol[] = [
  {
    ...{ name: 'maap', kind: 'maap', carrier: 'maap', prefix: '01074', takesFlows: true, behaviours },
    simulators: ({ inbound }) =>
      carriers.map((carrier) => [
        ...simulatorArguments,
        ...[
          '--carrier',
          carrier,
          '--status-url',
          `${inbound}/${token}`,
          '--reply-url',
          `${inbound}/${token}`,
        ],
      ]),
    options: (urls) => ({
      ...{ ...login, ...limits, webhookToken: token },
      carriers: Object.fromEntries(
        carriers.map((carrier, index) => [
          carrier,
          { url: `${urls[index]!}/ag/1.2`, clientId: 'e2e', clientSecret: 'secret' },
        ]),
      ),
    }),
    shapes: rcsShapes({
      ...{ ...common, '0007': taken(refusedByCarrier) },
      ...{ '0051': refused(wrongMessagebase), '0057': refused(wrongMessagebase) },
    }),
    without: { '0056': 'the agency key is refused, so the link waits for an operator' },
  },
  {
    ...{ name: 'maap-kt', kind: 'maap-kt', carrier: 'maap', prefix: '01075', takesFlows: false, behaviours },
    simulators: () => [[...simulatorArguments, '--carrier', 'kt-relay']],
    options: ([url]) => ({
      ...{ ...login, ...limits, rcsId: 'e2e', rcsSecret: 'secret' },
      ...{ url: `${url}/corp/v1`, queryUrl: `${url}/corp/v1`, results: 'polling', pollIntervalMs: 200 },
    }),
    shapes: rcsShapes({
      ...{ ...common, '0007': taken(spam), '0051': refused(refusedByCarrier) },
      ...{ '0056': refused(refusedByCarrier), '0057': refused(refusedByCarrier) },
    }),
    without: {},
  },
]
