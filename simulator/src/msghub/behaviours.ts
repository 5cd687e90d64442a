/** Behaviours selected by the last four digits of the recipient; send.ts carries them out. */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { ResponseCode, ResultCode } from './codes.ts'

export type MsghubChannel = 'sms' | 'mms' | 'rcs' | 'alimtalk'
type Result = Readonly<Record<MsghubChannel, ResultCode>>

export interface Behaviour extends EndingRow {
  /** Refuses the first `tries` attempts with the same content. */
  readonly refuse?: { readonly code: ResponseCode | 'HTTP 500'; readonly tries: number }
  readonly response:
    | 'immediately'
    | 'slowly'
    | 'after the report'
    | 'never'
    | 'by disconnecting'
    | 'HTTP 500'
    | 'broken JSON'
  /** If false, the message is discarded as if it had never arrived. */
  readonly accepts: boolean
  /** Results, each sent as one report. */
  readonly results: readonly Result[]
  readonly late: boolean
  /** Whether the recipient replies. */
  readonly replies: boolean
}

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

function resultByChannel(sms: ResultCode, mms: ResultCode, rcs: ResultCode, alimtalk: ResultCode): Result {
  return { sms, mms, rcs, alimtalk }
}

const delivered = resultByChannel('10000', '10000', '10000', '10000')
export const unregisteredSender = resultByChannel('30116', '31121', '22002', '22002')

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  const base = {
    response: 'immediately',
    accepts: true,
    results: [delivered],
    late: false,
    replies: false,
  } as const
  return { ending, summary, ...base, ...change }
}

function failed(...result: Parameters<typeof resultByChannel>): Change {
  return { results: [resultByChannel(...result)] }
}

function refused(code: NonNullable<Behaviour['refuse']>['code'], tries = Infinity): Change {
  return { refuse: { code, tries } }
}

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: `10000`. Default for all other numbers.'),
  row(
    '0002',
    'Failed, no subscriber: SMS `30125`, MMS `31101`, RCS `54003`, alimtalk `32120`.',
    failed('30125', '31101', '54003', '32120'),
  ),
  row('0003', 'Accepted, then `ING`, without a report.', { results: [] }),
  row('0004', 'Delivered; the report is sent twice.', { results: [delivered, delivered] }),
  row('0005', 'Delivered; the report is pushed before the response.', { response: 'after the report' }),
  row(
    '0006',
    'Failed, timed out: SMS `30102`, MMS and alimtalk `31106`, RCS `51907`.',
    failed('30102', '31106', '51907', '31106'),
  ),
  row(
    '0007',
    'Failed, spam: SMS `30114`, MMS `31119`, RCS and alimtalk `22001`.',
    failed('30114', '31119', '22001', '22001'),
  ),
  row('0008', 'Refused: `29001`, invalid parameter.', refused('29001')),
  row('0009', 'Throttled once, then delivered: HTTP 400 with `29002`.', refused('29002', 1)),
  row('0010', 'Throttled five times, then delivered.', refused('29002', 5)),
  row('0011', 'Delivered; the response arrives after `--slow-ms`.', { response: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the report follows.', {
    response: 'by disconnecting',
  }),
  row('0013', 'Disconnects without accepting the message.', { response: 'by disconnecting', accepts: false }),
  row('0015', 'Delivered; the report arrives after `--late-ms`.', { late: true }),
  row(
    '0016',
    'Failed, phone off: SMS `30126`, MMS `31107`, RCS `54003`, alimtalk `32120`.',
    failed('30126', '31107', '54003', '32120'),
  ),
  row('0017', 'HTTP 500 once, then delivered.', refused('HTTP 500', 1)),
  row('0018', 'Accepted without a response; the report follows.', { response: 'never' }),
  row(
    '0020',
    'Uncertain: SMS `30108`, MMS `31109`, RCS `41007`, alimtalk `32114`.',
    failed('30108', '31109', '41007', '32114'),
  ),
  row('0053', 'HTTP 500 without accepting the message, for every attempt.', refused('HTTP 500')),
  row('0054', 'HTTP 500 after accepting the message; the report follows.', { response: 'HTTP 500' }),
  row('0055', 'HTTP 200 with truncated JSON after accepting the message; the report follows.', {
    response: 'broken JSON',
  }),
  row('0058', 'Failed, unregistered sender: SMS `30116`, MMS `31121`, RCS and alimtalk `22002`.', {
    results: [unregisteredSender],
  }),
  row('0059', 'Refused: `29005`, duplicate client key.', refused('29005')),
  row('0060', 'No credit: HTTP 200 with `29018`, the sending limit is exceeded.', refused('29018')),
  row('0071', 'Delivered, then a reply with text.', { replies: true }),
]

export const behaviourFor = chooseByEnding(behaviours)
