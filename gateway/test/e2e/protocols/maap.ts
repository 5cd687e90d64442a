import { behaviours } from '../../../../simulator/src/maap/behaviours.ts'
import {
  expectRejected,
  simulatorArguments,
  expectAccepted,
  type ProtocolExpectations,
  type HttpProtocol,
} from './protocol.ts'
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

const common: ProtocolExpectations = {
  ...commonEndings,
  '0002': expectAccepted(unsupported),
  '0008': expectRejected(badNumber),
  '0016': expectAccepted(phoneOff),
  // The status does not show whether the message was delivered.
  '0019': expectAccepted(unknown),
  '0020': expectAccepted(unknown),
  '0021': expectAccepted(unknown),
  '0022': expectAccepted(unknown),
  '0023': expectAccepted(unknown),
  '0024': expectAccepted(delivered),
  '0052': expectRejected(wrongSender),
  // The carrier reports a duplicate, so the gateway waits for the status.
  '0059': expectRejected(timeout, { silent: true }),
  // The quota is used up: the message waits for the next period.
  '0060': expectRejected(timeout, { silent: true }),
  '0061': expectAccepted(delivered),
  '0062': expectAccepted(delivered),
  '0063': expectAccepted(delivered),
  '0064': expectAccepted(temporary),
}

const token = 'token-of-the-statuses'
const limits = { responseTimeoutMs: 2_500, throttleRetryMs: 20 }
const login = { agencyId: 'agency', agencyKey: 'AK.e2e' }

const carriers = ['skt', 'kt', 'lgu'] as const

export const maapProtocols: readonly HttpProtocol[] = [
  {
    name: 'maap',
    kind: 'maap',
    carrier: 'maap',
    prefix: '01074',
    takesFlows: true,
    behaviours,
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
      ...login,
      ...limits,
      webhookToken: token,
      carriers: Object.fromEntries(
        carriers.map((carrier, index) => [
          carrier,
          { url: `${urls[index]!}/ag/1.2`, clientId: 'e2e', clientSecret: 'secret' },
        ]),
      ),
    }),
    shapes: rcsShapes({
      ...common,
      '0007': expectAccepted(refusedByCarrier),
      '0051': expectRejected(wrongMessagebase),
      '0057': expectRejected(wrongMessagebase),
    }),
    without: { '0056': 'the agency key is refused, so the link waits for an operator' },
  },
  {
    name: 'maap-kt',
    kind: 'maap-kt',
    carrier: 'maap',
    prefix: '01075',
    takesFlows: false,
    behaviours,
    simulators: () => [[...simulatorArguments, '--carrier', 'kt-relay']],
    options: ([url]) => ({
      ...login,
      ...limits,
      rcsId: 'e2e',
      rcsSecret: 'secret',
      url: `${url}/corp/v1`,
      queryUrl: `${url}/corp/v1`,
      results: 'polling',
      pollIntervalMs: 200,
    }),
    shapes: rcsShapes({
      ...common,
      '0007': expectAccepted(spam),
      '0051': expectRejected(refusedByCarrier),
      '0056': expectRejected(refusedByCarrier),
      '0057': expectRejected(refusedByCarrier),
    }),
    without: {},
  },
]
